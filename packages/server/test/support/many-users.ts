import { sql } from 'kysely'
import type { Engine } from '../../src/db/refuse.ts'
import type { Db } from '../../src/db/schema.ts'
import { limits } from '../../src/limits.ts'
import { insertNumberedRows } from './large-database.ts'

/**
 * Fills a database with users who share one password, each with sessions and a known browser. The database generates the rows: five million
 * sessions take minutes this way, hours otherwise.
 * @param firstUser number of existing users, which are numbered from 0
 */
export const addManyUsers = async (
  db: Db,
  engine: Engine,
  { firstUser, users, sessions }: { firstUser: number; users: number; sessions: number },
): Promise<void> => {
  const now = Date.now()
  const at = (instant: number) => sql`cast(${sql.lit(instant)} as bigint)`
  const digits = (of: string) =>
    engine === 'sqlite' ? sql`printf('%012d', ${sql.raw(of)})` : sql`lpad(cast(${sql.raw(of)} as text), 12, '0')`
  // The values have the length of real selectors. Ascending order fills the index quickly and does not change lookups.
  const random = engine === 'sqlite' ? sql`hex(randomblob(16))` : sql`md5(cast(random() as text))`
  const user = (of: string) => sql`'00000000-0000-4000-8000-' || ${digits(of)}`
  await insertNumberedRows(
    db,
    users - firstUser,
    numbers => sql`insert into users ("userId", "userIdent", "userPassword", "userForcedReset", "userPasswordByMail", "userTZLabel",
      "userCreated") ${numbers} select ${user(`i + ${firstUser}`)}, 'somebody-' || (i + ${sql.lit(firstUser)}) || '@example.com',
      (select "userPassword" from users where "userIdent" = 'somebody-0@example.com'), 0, 0, 'UTC', ${at(now)} from n`,
  )
  await insertNumberedRows(
    db,
    users,
    numbers => sql`insert into known_browsers ("browserHash", "browserUser", "browserSignedIn") ${numbers}
      select ${digits('i')} || ${random}, ${user('i')}, ${at(now)} from n`,
  )
  await insertNumberedRows(
    db,
    sessions,
    numbers => sql`insert into sessions ("sessionSelector", "sessionHash", "sessionUser", "sessionCreated", "sessionSeen", "sessionExpires",
      "sessionConfirmed", "sessionUserAgent", "sessionAddress") ${numbers} select ${digits('i')} || substr(${random}, 1, 10),
      ${random} || ${random}, ${user(`i % ${users}`)}, ${at(now)}, ${at(now)}, ${at(now + limits.session.absolute)}, ${at(now)},
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36', '192.0.2.1' from n`,
  )
  await sql`analyze`.execute(db)
}
