import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { routes } from '@gatehouse/wire'
import { expect, inject } from 'vitest'
import { minutes } from '../../src/limits.ts'
import { createPasswords, thisMachine } from '../../src/passwords/passwords.ts'
import * as accounts from '../../src/users/users.store.ts'
import { openClient, outcomeOf } from '../credentials/deployment.ts'
import { recipientOf, startSmtpSink } from '../mail/smtp-sink.ts'
import { freePort } from '../support/free-port.ts'
import { createJournal, createTraffic, isAlive, type Journal } from '../support/traffic.ts'
import { makeInstallation, startProcess } from './processes.ts'

const password = 'a password for killing'

/** Enough users for a slow machine: each step takes a new user, and rounds continue until every kind of write has happened. */
const mostUsers = 3000

type Installation = Awaited<ReturnType<typeof makeInstallation>>

/** Users who share one password, so it is hashed once. */
const addUsers = async ({ inDatabase }: Installation, count: number) => {
  const userPassword = await (await createPasswords(1)).inTurn(thisMachine, turn => turn.hash(password))
  const users = Array.from({ length: count }, (_, n) => ({ username: `user${n}@example.com`, password }))
  await inDatabase(db =>
    db.transaction().execute(async tx => {
      for (const { username: userIdent } of users)
        await accounts.addAccount(tx, { userIdent, userPassword, userTZLabel: 'UTC', now: Date.now() })
    }),
  )
  return { users, userPassword }
}

/** The number of acknowledged writes of each kind. */
const happened = (journal: Journal) => ({
  ...Object.fromEntries(Object.entries(Object.groupBy(journal.facts, fact => fact.what)).map(([what, facts]) => [what, facts?.length])),
  verified: journal.verified.length,
  'recovery codes used': journal.enrolled.reduce((sum, { used }) => sum + used.length, 0),
  skips: [...journal.skips.values()].reduce((sum, count) => sum + count, 0),
  'passwords reset': journal.reset.length,
  'mails asked for': journal.asked.length,
  'sessions open': journal.open.size,
  failures: journal.failures,
})

/** Whether each kind of write happened at least `least` times. */
export const hasHappened = (journal: Journal, least: number): boolean => {
  const counts = Object.values(happened(journal))
  return counts.length === 12 && counts.every(count => (count ?? 0) >= least)
}

/** The acknowledged facts that no longer hold. */
export const broken = async (facts: Journal['facts'], url: string) => {
  const held = await Promise.all(facts.map(async ({ what, holds }) => ((await holds(openClient([url]))) ? [] : [what])))
  return held.flat()
}

/** Checks that recovery codes used since the last check are refused. */
export const tryUsedCodes = async (journal: Journal, url: string, from: ReadonlyMap<object, number>) => {
  for (const person of journal.enrolled) {
    for (const otpRecoveryCode of person.used.slice(from.get(person) ?? 0)) {
      if (++person.checked > 3) break
      const request = { otpUsername: person.user.username, otpPassword: person.user.password, otpRecoveryCode }
      const outcome = outcomeOf(await openClient([url]).post(routes.recoveryCode.path, request))
      expect(outcome.tag).toBe('AuthFailureFactorError')
    }
  }
}

/**
 * Kills a server process repeatedly during all kinds of writes, then compares what it acknowledged with the database.
 * @param kills number of kills; on a slow machine more, until enough writes have happened
 * @param least how often each kind of write must happen. If 0, one write of any kind is enough
 * @param leastTraffic how long writes run before each kill, in milliseconds, before a random time is added
 */
export const killAndCompare = async (kills: number, least: number, leastTraffic = 50) => {
  const mostKills = Math.max(100, 4 * kills)
  const installation = await makeInstallation()
  const { env, inDatabase } = installation
  const { users, userPassword } = await addUsers(installation, Math.max(mostUsers, 30 * kills))
  const sink = await startSmtpSink()
  const journal = createJournal()
  const traffic = createTraffic(journal, users, sink.mails)
  const start = async () =>
    startProcess({
      ...env,
      GATEHOUSE_SECOND_FACTOR: 'skippable',
      GATEHOUSE_SMTP_URL: sink.url,
      GATEHOUSE_ADMIN_PASSWORD: password,
      GATEHOUSE_LISTEN: `127.0.0.1:${await freePort()}`,
    })

  let checked = 0
  let codes = new Map<object, number>()
  const check = async (url: string) => {
    traffic.moveTo(url)
    expect(await broken(journal.facts.slice(checked), url)).toEqual([])
    checked = journal.facts.length
    await tryUsedCodes(journal, url, codes)
    codes = new Map(journal.enrolled.map(person => [person, person.used.length]))
  }

  const isEnough = () => (least === 0 ? journal.facts.length > 0 : hasHappened(journal, least))

  for (let kill = 0; kill < kills || (kill < mostKills && !isEnough()); kill++) {
    const server = await start()
    // Kill some servers during their start.
    const isEarly = kill % 10 === 4
    if (!isEarly) {
      const url = await server.ready
      await check(url)
      const running = traffic.run()
      // If writes are still missing on a slow machine, leave more time between kills.
      await new Promise(resolve => setTimeout(resolve, leastTraffic + Math.random() * (kill < kills ? 500 : 3000)))
      server.child.kill('SIGKILL')
      traffic.stop()
      await running
    } else {
      await new Promise(resolve => setTimeout(resolve, Math.random() * 800))
      server.child.kill('SIGKILL')
    }
    await server.ended
    expect(server.output.stderr).not.toMatch(/request failed|database error/)
  }

  const last = await start()
  const url = await last.ready
  await check(url)
  expect(await broken(journal.facts, url)).toEqual([])
  for (const session of journal.open) expect(await isAlive(openClient([url], session))).toBe(true)

  // Mail claimed by a dead server becomes due again after a delay; skip the delay.
  const outbox = () =>
    inDatabase(async db => {
      await db.updateTable('outbox').set({ mailNext: Date.now() }).execute()
      return (await db.selectFrom('outbox').select('mailId').execute()).length
    })
  await expect.poll(outbox, { timeout: minutes(1), interval: 2000 }).toBe(0)
  const mails = sink.mails.map(mail => ({ to: recipientOf(mail), text: mail.text ?? '', subject: mail.subject }))
  const lost = journal.asked.filter(({ to, page }) => !mails.some(mail => mail.to === to && mail.text.includes(`/${page}#`)))
  expect(lost).toEqual([])

  await inDatabase(async db => {
    const factors = await db
      .selectFrom('factors')
      .innerJoin('totp_bindings', 'factorTOTPBindingFactorUUID', 'factorUUID')
      .selectAll()
      .execute()
    for (const { user, factorUUID, step } of journal.verified) {
      const factor = factors.find(one => one.factorUUID === factorUUID)
      expect(factor?.factorStatus).toBe('Verified')
      expect(factor?.factorTOTPBindingLastStep).toBeGreaterThanOrEqual(step)
      expect(mails.some(mail => mail.to === user.username && mail.subject?.startsWith('Second factor added'))).toBe(true)
    }
    for (const { user, used, unsure } of journal.enrolled) {
      const rows = db.selectFrom('recovery_codes').innerJoin('users', 'userId', 'recoveryCodeUser').where('userIdent', '=', user.username)
      const left = (await rows.selectAll().execute()).length
      expect(left).toBeLessThanOrEqual(10 - used.length)
      expect(left).toBeGreaterThanOrEqual(10 - used.length - unsure)
    }
    const skips = await db.selectFrom('skips').innerJoin('users', 'userId', 'skipUser').select(['userIdent', 'skipCount']).execute()
    for (const [name, count] of journal.skips)
      expect(skips.find(({ userIdent }) => userIdent === name)?.skipCount).toBeGreaterThanOrEqual(count)
    const told = mails.filter(mail => mail.subject?.startsWith('Second factor skipped')).length
    expect(told).toBeGreaterThanOrEqual(skips.reduce((sum, { skipCount }) => sum + skipCount, 0))
    for (const name of journal.reset) expect((await accounts.findByIdent(db, name))?.userPassword).not.toBe(userPassword)
    // Every acknowledged attempt is counted in the row of its name, whether it was checked or refused by the lockout.
    const unknown = db.selectFrom('failed_logins').selectAll().where('failedLoginUserIdent', 'like', 'unknown:%')
    const { failedLoginAttempts = 0, failedLoginRefused = 0 } = (await unknown.executeTakeFirst()) ?? {}
    expect(failedLoginAttempts + failedLoginRefused).toBeGreaterThanOrEqual(journal.failures)
  })

  expect(journal.facts.length).toBeGreaterThan(0)
  // Every kind of write has happened.
  if (least > 0) expect(Object.keys(happened(journal))).toHaveLength(12)
  for (const [what, count] of Object.entries(happened(journal))) expect([what, (count ?? 0) >= least]).toEqual([what, true])

  last.child.kill('SIGKILL')
  await last.ended
  if (inject('postgres') === '') {
    const db = new DatabaseSync(join(env.GATEHOUSE_DATA_DIR ?? '', 'gatehouse.sqlite'))
    expect(db.prepare('pragma integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
    expect(db.prepare('pragma foreign_key_check').all()).toEqual([])
    db.close()
  }
}
