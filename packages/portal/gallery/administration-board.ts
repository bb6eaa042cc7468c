import type { SignInBoard } from '@gatehouse/wire'

export const hours = Array.from({ length: 24 }, (_, hour) => new Date(Date.UTC(2026, 10, 19, 4 + hour)).toISOString())
export const days = Array.from({ length: 90 }, (_, day) => new Date(Date.UTC(2026, 7, 23 + day)).toISOString())
/** Counts that look like a working day, the same in every run. */
const wave = (slots: string[], high: number, turn: number) =>
  slots.map((_, slot) => Math.max(0, Math.round((high * (1 + Math.sin((slot + turn) / 3))) / 2)))
export const boardOf = (slots: string[], step: SignInBoard['step'], by = 1): SignInBoard => ({
  zone: 'Europe/Amsterdam',
  step,
  slots,
  series: [
    { way: 'Password', outcome: 'SignedIn', counts: wave(slots, 40 * by, 0) },
    { way: 'Password', outcome: 'Passed', counts: wave(slots, 60 * by, 1) },
    { way: 'OneTimeLink', outcome: 'Passed', counts: wave(slots, 9 * by, 3) },
    { way: 'Google', outcome: 'SignedIn', counts: wave(slots, 20 * by, 2) },
    { way: 'Azure', outcome: 'SignedIn', counts: wave(slots, 14 * by, 5) },
    { way: 'Pak', outcome: 'SignedIn', counts: wave(slots, 5 * by, 7) },
    { way: 'TOTP', outcome: 'SignedIn', counts: wave(slots, 50 * by, 1) },
    { way: 'Push', outcome: 'SignedIn', counts: wave(slots, 12 * by, 4) },
    { way: 'RecoveryCode', outcome: 'SignedIn', counts: wave(slots, 3 * by, 2) },
    { way: 'Skip', outcome: 'SignedIn', counts: wave(slots, 4 * by, 6) },
    { way: 'Password', outcome: 'WrongPassword', counts: wave(slots, 16 * by, 5) },
    { way: 'TOTP', outcome: 'WrongCode', counts: wave(slots, 8 * by, 8) },
    { way: 'Password', outcome: 'Locked', counts: wave(slots, 10 * by, 10) },
    { way: 'Password', outcome: 'ForcedReset', counts: wave(slots, 3 * by, 1) },
    { way: 'Pak', outcome: 'Refused', counts: wave(slots, 4 * by, 9) },
  ],
})
