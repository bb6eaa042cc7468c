import { sql } from 'kysely'
import type { Engine } from '../../src/db/refuse.ts'
import type { Db } from '../../src/db/schema.ts'
import { limits } from '../../src/limits.ts'
import { insertNumberedRows } from './large-database.ts'

/**
 * Fills a database with people who share one password, with sessions and a known browser of each, by the database's own means: five million sessions take
 * minutes this way and hours by any other.
 * @param firstPeople how many are there already, numbered from 0 up
 */
export const addManyUsers = async (
  db: Db,
  engine: Engine,
  { firstPeople, people, sessions }: { firstPeople: number; people: number; sessions: number },
): Promise<void> => {
  const now = Date.now()
  const at = (instant: number) => sql`cast(${sql.lit(instant)} as bigint)`
  const digits = (of: string) =>
    engine === 'sqlite' ? sql`printf('%012d', ${sql.raw(of)})` : sql`lpad(cast(${sql.raw(of)} as text), 12, '0')`
  // As long as ours are. They come in order, which fills the index quickly and is looked up like any other.
  const random = engine === 'sqlite' ? sql`hex(randomblob(16))` : sql`md5(cast(random() as text))`
  const user = (of: string) => sql`'00000000-0000-4000-8000-' || ${digits(of)}`
  await insertNumberedRows(
    db,
    people - firstPeople,
    numbers => sql`insert into users ("userId", "userIdent", "userPassword", "userForcedReset", "userPasswordByMail", "userTZLabel",
      "userCreated") ${numbers} select ${user(`i + ${firstPeople}`)}, 'somebody-' || (i + ${sql.lit(firstPeople)}) || '@example.com',
      (select "userPassword" from users where "userIdent" = 'somebody-0@example.com'), 0, 0, 'UTC', ${at(now)} from n`,
  )
  await insertNumberedRows(
    db,
    people,
    numbers => sql`insert into known_browsers ("browserHash", "browserUser", "browserSignedIn") ${numbers}
      select ${digits('i')} || ${random}, ${user('i')}, ${at(now)} from n`,
  )
  await insertNumberedRows(
    db,
    sessions,
    numbers => sql`insert into sessions ("sessionSelector", "sessionHash", "sessionUser", "sessionCreated", "sessionSeen", "sessionExpires",
      "sessionConfirmed", "sessionUserAgent", "sessionAddress") ${numbers} select ${digits('i')} || substr(${random}, 1, 10),
      ${random} || ${random}, ${user(`i % ${people}`)}, ${at(now)}, ${at(now)}, ${at(now + limits.session.absolute)}, ${at(now)},
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36', '192.0.2.1' from n`,
  )
  await sql`analyze`.execute(db)
}
