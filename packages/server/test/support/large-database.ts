import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../src/db/schema.ts'
import { days, hours, limits } from '../../src/limits.ts'

/** Rows per statement, so that each statement stays below our timeout of 1.5 s on PostgreSQL. */
const piece = 4000

/** Inserts numbered rows that the database generates itself; sending a million rows would take far longer. */
export const insertNumberedRows = async (db: Db, count: number, insert: (numbers: RawBuilder<unknown>) => RawBuilder<unknown>) => {
  for (let from = 0; from < count; from += piece) {
    const until = sql.lit(Math.min(from + piece, count))
    await insert(sql`with recursive n(i) as (select ${sql.lit(from)} union all select i + 1 from n where i + 1 < ${until})`).execute(db)
  }
}

/** Fills a large installation: nearly all users have a second factor, some deferred it, some are locked out; 90 days of audit events. */
export const fillLargeDatabase = async (db: Db, { users, rows, end }: { users: number; rows: number; end: number }): Promise<void> => {
  const at = (instant: number) => sql`cast(${sql.lit(instant)} as bigint)`
  const user = sql`'user-' || i`
  await insertNumberedRows(
    db,
    users,
    numbers => sql`insert into users ("userId", "userIdent", "userPassword", "userForcedReset", "userPasswordByMail", "userTZLabel",
      "userCreated") ${numbers} select ${user}, ${user} || '@example.com', 'x', case when i % 500 = 0 then 1 else 0 end, 0,
      'Europe/Amsterdam', ${at(end - days(400))} from n`,
  )
  await insertNumberedRows(
    db,
    users,
    numbers => sql`insert into factors ("factorUUID", "factorIdentity", "factorFriendlyName", "factorStatus", "factorFactorType",
      "factorDateCreated", "factorDateVerified", "factorReplaces", "factorWrongCodes") ${numbers} select 'factor-' || i, ${user},
      'Authenticator app', 'Verified', 'TOTP', 1, 1, 0, 0 from n where i % 100 <> 7`,
  )
  await insertNumberedRows(
    db,
    users,
    numbers => sql`insert into skips ("skipUser", "skipCount", "skipFirst") ${numbers} select ${user}, 2, 1 from n where i % 200 = 7`,
  )
  await insertNumberedRows(
    db,
    users,
    numbers => sql`insert into sessions ("sessionSelector", "sessionHash", "sessionUser", "sessionCreated", "sessionSeen",
      "sessionExpires", "sessionUserAgent", "sessionAddress") ${numbers} select 'session-' || i, 'x', ${user}, ${at(end)}, ${at(end)},
      ${at(end + hours(20))}, 'Browser', '192.0.2.1' from n where i % 20 = 0`,
  )
  await insertNumberedRows(
    db,
    users,
    numbers => sql`insert into failed_logins ("failedLoginUserIdent", "failedLoginBrowser", "failedLoginAttempts",
      "failedLoginLockCreated", "failedLoginLockExpires", "failedLoginRefused", "failedLoginAllowed", "failedLoginCounted") ${numbers}
      select ${user} || '@example.com', '', 12, case when i % 1000 = 0 then ${at(end)} else null end,
      case when i % 1000 = 0 then ${at(end + limits.lockout.longestWait)} else null end, 0, 1, ${at(end)} from n where i % 10 = 0`,
  )
  // A sign-in writes several audit rows; these seven follow one another in a realistic mix.
  await insertNumberedRows(
    db,
    rows,
    numbers => sql`insert into audit ("auditId", "auditAt", "auditEvent", "auditActor", "auditTarget", "auditResult", "auditAddress",
      "auditUserAgent", "auditRequestId") ${numbers}
      select 'row-' || i, ${at(end - days(90))} + cast(i as bigint) * ${sql.lit(Math.floor(days(90) / rows))},
      case i % 7 when 0 then 'sign-in' when 1 then 'second-factor' when 2 then 'session-started' when 3 then 'sign-in' when 4 then 'sso'
        when 5 then 'one-time-link' else 'second-factor' end,
      null, 'user-' || (cast(i / 7 as bigint) * 7919) % ${sql.lit(users)},
      case i % 7 when 0 then 'second-factor-required' when 1 then 'successful: TOTP' when 2 then 'successful' when 3 then 'wrong-password'
        when 4 then 'google: second-factor-required' when 5 then 'second-factor-required' else 'wrong-code' end,
      '192.0.2.1', 'Browser', 'request' from n`,
  )
  // Update the statistics, as databases do over time anyway. On a busy database a statement may time out; the old statistics then remain.
  for (const table of ['users', 'factors', 'skips', 'sessions', 'failed_logins', 'audit'])
    await sql`analyze ${sql.ref(table)}`.execute(db).catch(() => undefined)
}
