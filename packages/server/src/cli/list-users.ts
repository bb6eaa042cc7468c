import { listPauses } from '../factors/failed-codes.store.ts'
import { commandLine } from '../program.ts'
import { listLocks } from '../sign-in/locks.ts'
import * as accounts from '../users/users.store.ts'
import type { Deps } from './deps.ts'

export const listUsers = async ({ database: { db, clock }, write, data }: Deps) => {
  const [users, locks] = [await accounts.listAccounts(db), await listLocks(db, clock.now())]
  const pauses = new Map((await listPauses(db, clock.now())).map(({ userId, until }) => [userId, until]))
  const rows = users.map(user => ({
    id: user.userId,
    address: user.userIdent,
    mustResetPassword: user.userForcedReset === 1,
    passwordLockedUntil: endOf(locks.filter(lock => lock.userIdent === user.userIdent).map(lock => lock.until)),
    secondFactorLockedUntil: endOf(pauses.has(user.userId) ? [pauses.get(user.userId) ?? null] : []),
  }))
  data(rows)
  if (rows.length === 0) write(`No users yet. Add one: ${commandLine} user add ADDRESS`)
  for (const { id, address, mustResetPassword, passwordLockedUntil, secondFactorLockedUntil } of rows) {
    const notes = [
      ...(mustResetPassword ? ['must reset the password'] : []),
      ...(passwordLockedUntil === null ? [] : [`locked until ${passwordLockedUntil}`]),
      ...(secondFactorLockedUntil === null ? [] : [secondFactorNote(secondFactorLockedUntil)]),
    ]
    write([id, address, ...notes].join('  '))
  }
}

/** When the last of these locks ends: an instant, or `reset` if only a reset ends one of them. Null without locks. */
const endOf = (ends: readonly (number | null)[]): string | null => {
  if (ends.length === 0) return null
  return ends.includes(null) ? 'reset' : new Date(Math.max(...ends.map(Number))).toISOString()
}

const secondFactorNote = (end: string) => (end === 'reset' ? 'second factor disabled' : `second factor locked until ${end}`)
