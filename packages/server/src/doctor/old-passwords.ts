import type { Kysely } from 'kysely'
import { countOldPasswords } from '../db/old-password-kinds.ts'
import type { Tables } from '../db/schema.ts'
import { about, type Finding } from './finding.ts'

const { ok } = about('imported passwords')

/** Reports how many imported passwords still slow down every sign-in. Reports nothing without imported passwords. */
export const examineOldPasswords = async (db: Kysely<Tables>): Promise<Finding[]> => {
  const kinds = await countOldPasswords(db)
  if (kinds.size === 0) return []
  const users = [...kinds.values()].reduce((sum, count) => sum + count, 0)
  const list = [...kinds].map(([kind, count]) => `${kind} (${count})`).join(', ')
  return [
    ok(
      `${users} imported ${users === 1 ? 'user has' : 'users have'} not signed in since. Until then every sign-in computes one more hash of each kind: ${list}.`,
    ),
  ]
}
