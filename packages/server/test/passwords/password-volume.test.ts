import { measurePasswords } from './password-volume.ts'

// The step is a prime, so that the sample has every form of common password.
measurePasswords(1 / 397)
