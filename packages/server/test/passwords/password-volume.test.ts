import { measurePasswords } from './password-volume.ts'

measurePasswords(1 / 40)
