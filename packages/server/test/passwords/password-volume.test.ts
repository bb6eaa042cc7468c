import { measurePasswords } from './password-volume.ts'

// A prime, so that the sample has every shape of a common password.
measurePasswords(1 / 397)
