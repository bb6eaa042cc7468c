import type { ExpressionBuilder, InferResult } from 'kysely'
import type { Permit } from '../credentials/credential-rules.ts'
import { inBatches } from '../db/batches.ts'
import type { Db, Tables, UsedFactor } from '../db/schema.ts'
import { preparedAs } from '../db/statement-marks.ts'
import { hashSecret, matchesHash } from '../keys/secrets.ts'
import { limits } from '../limits.ts'
import type { Pass, PassScope } from './pass.ts'
import { createPassSecret, type PassSecret } from './pass-secret.ts'

type New = { name: string; scope: PassScope; now: number; expires: number }

/** The owner of passes, for looking them up. */
export type HolderKey = { is: 'User'; userId: string } | { is: 'Service'; service: string }

/** The owner as the audit log names it. No user id begins with `service:`. */
export const targetOf = (holder: HolderKey): string => (holder.is === 'User' ? holder.userId : `service:${holder.service}`)

/** The condition that a pass has this owner. */
export const ofHolder = (holder: HolderKey) => (e: ExpressionBuilder<Tables, 'passes'>) =>
  holder.is === 'User' ? e('passUser', '=', holder.userId) : e('passService', '=', holder.service)

/** Creates a pass of a user. @returns the pass, which is shown once */
export const addUserPass = async ({ tx, userId }: Permit<'create-pass'>, pass: New & { factor: UsedFactor | null }): Promise<string> =>
  insert(tx, { passUser: userId, passService: null, passCreatedBy: userId }, pass)

/**
 * Creates a pass of a service.
 * @param by the permit of an administrator. The command line needs none
 */
export const addServicePass = (
  by: Permit<'create-service-pass'> | { tx: Db; userId: 'cli' },
  { service, ...pass }: New & { service: string },
): Promise<string> => insert(by.tx, { passUser: null, passService: service, passCreatedBy: by.userId }, { ...pass, factor: null })

const insert = async (
  tx: Db,
  owner: { passUser: string | null; passService: string | null; passCreatedBy: string },
  { name, scope, factor, now, expires }: New & { factor: UsedFactor | null },
): Promise<string> => {
  const { selector, secret, text } = createPassSecret()
  await tx
    .insertInto('passes')
    .values({
      ...owner,
      passSelector: selector,
      passHash: hashSecret(secret),
      passName: name,
      passScope: JSON.stringify(scope),
      passFactor: factor,
      passCreated: now,
      passExpires: expires,
    })
    .execute()
  return text
}

const columns = [
  'passSelector',
  'passName',
  'passUser',
  'passService',
  'passScope',
  'passFactor',
  'passCreated',
  'passExpires',
  'passUsed',
  'passUsedFrom',
  'userIdent',
  'userGroups',
  'userProviderGroups',
] as const

type PassRow = {
  passSelector: string
  passName: string
  passUser: string | null
  passService: string | null
  passScope: string
  passFactor: UsedFactor | null
  passCreated: number
  passExpires: number
  passUsed: number | null
  passUsedFrom: string | null
  userIdent: string | null
  userGroups: string | null
  userProviderGroups: string | null
}

export const passOf = (row: PassRow): Pass => ({
  selector: row.passSelector,
  name: row.passName,
  owner:
    row.passUser !== null && row.userIdent !== null
      ? {
          is: 'User',
          userId: row.passUser,
          userIdent: row.userIdent,
          userGroups: row.userGroups ?? '',
          userProviderGroups: row.userProviderGroups ?? '',
        }
      : { is: 'Service', service: row.passService ?? '' },
  scope: JSON.parse(row.passScope),
  factor: row.passFactor,
  created: row.passCreated,
  expires: row.passExpires,
  used: row.passUsed,
  usedFrom: row.passUsedFrom,
})

const selectPasses = (db: Db, selectors: readonly string[]) =>
  db
    .selectFrom('passes')
    .leftJoin('users', 'userId', 'passUser')
    .select([...columns, 'passHash', 'userForcedReset'])
    .where('passSelector', 'in', selectors)

type FoundPass = InferResult<ReturnType<typeof selectPasses>>[number]

/** A user who must choose a new password has no access, and neither do their programs. */
const isLive = ({ passExpires, userForcedReset }: FoundPass, now: number) => passExpires > now && userForcedReset !== 1

/** Finds the live pass with a secret. */
export const prepareFindPass = (db: Db) => {
  const find = inBatches<FoundPass>(
    size => {
      const query = selectPasses(db, Array<string>(size).fill(''))
        .modifyEnd(preparedAs(`find-passes-${size}`))
        .compile()
      return async selectors => (await db.executeQuery<FoundPass>({ ...query, parameters: selectors })).rows
    },
    row => row.passSelector,
  )
  return async ({ selector, secret }: PassSecret, now: number): Promise<Pass | undefined> => {
    const row = await find(selector)
    return row && matchesHash(secret, row.passHash) && isLive(row, now) ? passOf(row) : undefined
  }
}

/** Stores when and from where a pass was last used. */
export const recordUse = (db: Db, selector: string, from: string, now: number) =>
  db.updateTable('passes').set({ passUsed: now, passUsedFrom: from }).where('passSelector', '=', selector).execute()

/** A query for every pass with its owner. Callers add conditions. */
export const passRows = (db: Db) => db.selectFrom('passes').leftJoin('users', 'userId', 'passUser').select(columns)

/** The passes of a user, or all passes, the newest first. Ended ones are left out. */
export const listPasses = async (db: Db, now: number, userId?: string): Promise<Pass[]> => {
  const rows = await passRows(db)
    .where('passExpires', '>', now)
    .$if(userId !== undefined, q => q.where('passUser', '=', userId ?? ''))
    .orderBy('passCreated', 'desc')
    .orderBy('passSelector')
    .execute()
  return rows.map(passOf)
}

export const countPasses = async (db: Db, now: number, owner: { userId: string } | 'services'): Promise<number> => {
  const { count } = await db
    .selectFrom('passes')
    .select(e => e.fn.countAll<number>().as('count'))
    .where('passExpires', '>', now)
    .where(e => (owner === 'services' ? e('passService', 'is not', null) : e('passUser', '=', owner.userId)))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/**
 * Ends a pass. @returns its name, and its owner as the audit log names it; `undefined` if the pass
 * had already ended
 */
export const endPass = async (db: Db, selector: string, userId?: string): Promise<{ name: string; target: string } | undefined> => {
  const ended = await db
    .deleteFrom('passes')
    .where('passSelector', '=', selector)
    .$if(userId !== undefined, q => q.where('passUser', '=', userId ?? ''))
    .returning(['passName', 'passUser', 'passService'])
    .executeTakeFirst()
  if (!ended) return undefined
  const { passName: name, passUser, passService } = ended
  return { name, target: targetOf(passUser === null ? { is: 'Service', service: passService ?? '' } : { is: 'User', userId: passUser }) }
}

/** Ends every pass of an owner. */
export const endPassesOf = (db: Db, holder: HolderKey) => db.deleteFrom('passes').where(ofHolder(holder)).execute()

/** Records the warning about passes that end soon. @returns the passes that had no warning before */
export const takeEnding = async (db: Db, now: number): Promise<Pass[]> => {
  const rows = await passRows(db)
    .where('passExpires', '>', now)
    .where('passExpires', '<=', now + limits.pass.warn)
    .where('passWarned', '=', 0)
    .limit(100)
    .execute()
  const taken: Pass[] = []
  for (const row of rows) {
    const { numUpdatedRows } = await db
      .updateTable('passes')
      .set({ passWarned: 1 })
      .where('passSelector', '=', row.passSelector)
      .where('passWarned', '=', 0)
      .executeTakeFirst()
    if (numUpdatedRows === 1n) taken.push(passOf(row))
  }
  return taken
}

export const purge = (db: Db, now: number) => db.deleteFrom('passes').where('passExpires', '<=', now).execute()
