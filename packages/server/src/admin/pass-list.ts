import type { PassHolders } from '@gatehouse/wire'
import { sql } from 'kysely'
import type { Db } from '../db/schema.ts'
import { limits } from '../limits.ts'
import type { Pass } from '../passes/pass.ts'
import { type HolderKey, ofHolder, passOf, passRows } from '../passes/passes.store.ts'

/**
 * Which passes to list. `search`: part of a name or of an owner. `holders`: passes of users, of services, or all. `holder`: the passes of
 * one owner. `after`: the last pass of the previous page.
 */
export type WantedPasses = {
  search: string
  holders: PassHolders
  holder: HolderKey | undefined
  after: PassPlace | undefined
  now: number
}
/** A place in the list, which is sorted by expiry. */
export type PassPlace = { expires: number; selector: string }

type Rows = ReturnType<typeof passRows>

const found = (rows: Rows, { search, holder, now }: Pick<WantedPasses, 'search' | 'holder' | 'now'>): Rows => {
  const live = rows.where('passExpires', '>', now)
  const owned = holder ? live.where(ofHolder(holder)) : live
  if (search === '') return owned
  const part = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`
  // SQLite's lower() changes only ASCII letters, so also compare names with the search text as typed.
  const [typed, lowered] = [part(search), part(search.toLowerCase())]
  return owned.where(
    sql<boolean>`("passName" like ${typed} escape '\\' or lower("passName") like ${lowered} escape '\\'
      or "userIdent" like ${lowered} escape '\\' or "passService" like ${lowered} escape '\\')`,
  )
}

/** A page of passes, sorted by expiry. The database reads the page from the index on `passExpires`. */
const passPage = (db: Db, wanted: WantedPasses, most: number) => {
  const { holders, after } = wanted
  let rows = found(passRows(db), wanted)
  if (holders !== 'All') rows = rows.where('passUser', holders === 'Users' ? 'is not' : 'is', null)
  if (after) {
    const { expires, selector } = after
    // The database answers the first condition from the index.
    rows = rows.where('passExpires', '>=', expires).where(e => e.or([e('passExpires', '>', expires), e('passSelector', '>', selector)]))
  }
  return rows.orderBy('passExpires').orderBy('passSelector').limit(most)
}

export const listAllPasses = async (db: Db, wanted: WantedPasses): Promise<{ passes: Pass[]; after: PassPlace | undefined }> => {
  const { most } = limits.lists.passes
  const rows = (await passPage(db, wanted, most + 1).execute()).map(passOf)
  const [passes, last] = [rows.slice(0, most), rows[most - 1]]
  return { passes, after: rows.length > most && last ? { expires: last.expires, selector: last.selector } : undefined }
}

/** How many passes a search finds, of users and of services. */
export const countFoundPasses = async (db: Db, wanted: Pick<WantedPasses, 'search' | 'holder' | 'now'>) => {
  const { all, users } = await found(passRows(db), wanted)
    .clearSelect()
    .select(e => [e.fn.countAll<number>().as('all'), e.fn.count<number>('passUser').as('users')])
    .executeTakeFirstOrThrow()
  return { All: Number(all), Users: Number(users), Services: Number(all) - Number(users) }
}
