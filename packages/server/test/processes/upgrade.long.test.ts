import { setTimeout } from 'node:timers/promises'
import { accountRoutes, routes } from '@gatehouse/wire'
import { expect, type TestContext, test } from 'vitest'
import { openUpToDate, sqliteFile } from '../../src/db/open.ts'
import { seconds } from '../../src/limits.ts'
import { openClient, outcomeOf, signIn } from '../credentials/deployment.ts'
import { startSmtpSink } from '../mail/smtp-sink.ts'
import { type Earlier, earlierVersion } from '../support/earlier-version.ts'
import { createJournal, createTraffic, isAlive, type Journal } from '../support/traffic.ts'
import {
  ada,
  addEarlierUsers,
  admin,
  askForLink,
  bob,
  byRecoveryCode,
  copyInstallation,
  enter,
  enterByCode,
  freshCode,
  grace,
  type Installation,
  isOnPostgres,
  makeEmptyInstallation,
  mallory,
  resetByLink,
  type Settled,
  settle,
  skip,
} from './earlier-data.ts'
import { broken, hasHappened, tryUsedCodes } from './kill-and-compare.ts'
import { runCli, startProcess } from './processes.ts'

const newPassword = 'another password for upgrades'
const newer = /was made by a newer version of Gatehouse .* Start that version, or restore a backup from before it\./

const prepare = async (context: TestContext): Promise<Earlier> => {
  const earlier = await earlierVersion()
  return typeof earlier === 'string' ? context.skip(earlier) : earlier
}

const stopped = async ({ child, ended, output }: ReturnType<typeof startProcess>) => {
  child.kill('SIGTERM')
  expect(await ended).toBe(0)
  expect(output.stderr).not.toMatch(/"level":"(error|fatal)"/)
}

/** Fills an installation through a server of the earlier version. */
const useEarlier = async (
  url: string,
  mails: Parameters<typeof askForLink>[1],
  traffic: ReturnType<typeof createTraffic>,
  journal: Journal,
) => {
  const settled = await settle(url, ada)
  const administrator = await settle(url, admin)
  // A used code, and a session that ended.
  const { client, outcome } = await byRecoveryCode(url, ada, settled.codes[0])
  if (outcome.tag !== 'AuthSuccessful') throw new Error(outcome.tag)
  await enter(client, outcome.contents)
  const ended = new Map(client.jar)
  expect((await client.post(routes.logoutBySelf.path, {})).status).toBe(200)
  expect(await skip(url, grace)).toBe('AuthSuccessful')
  for (let i = 0; i < 10; i++) await signIn(openClient([url]), { ...mallory, password: 'a wrong password here' })
  const links = { reset: await askForLink(url, mails, 'new-password', bob), entry: await askForLink(url, mails, 'one-time-link', grace) }
  traffic.moveTo(url)
  const running = traffic.run()
  await expect.poll(() => hasHappened(journal, 3), { timeout: seconds(60), interval: 200 }).toBe(true)
  traffic.stop()
  await running
  return { settled, administrator, ended, links }
}
type Used = Awaited<ReturnType<typeof useEarlier>>

/** Checks everything that an upgrade must keep. */
const checkKept = async (url: string, installation: Installation, used: Used, journal: Journal) => {
  const { settled, administrator, ended, links } = used
  expect(await isAlive(openClient([url], settled.client.jar))).toBe(true)
  expect(await isAlive(openClient([url], ended))).toBe(false)
  expect((await openClient([url], administrator.client.jar).get('/administration')).status).toBe(200)
  expect(await broken(journal.facts, url)).toEqual([])
  await tryUsedCodes(journal, url, new Map())
  for (const session of journal.open) expect(await isAlive(openClient([url], session))).toBe(true)
  const rows = await countsOf(installation)
  expect(rows.locked).toBe(10)
  expect((await byRecoveryCode(url, ada, settled.codes[0])).outcome.tag).toBe('AuthFailureFactorError')
  expect((await byRecoveryCode(url, ada, settled.codes[1])).outcome.tag).toBe('AuthSuccessful')
  await enterByCode(url, settled, await freshCode(settled))
  expect(await resetByLink(url, bob.username, links.reset, newPassword)).toBe(200)
  expect((await signIn(openClient([url]), { ...bob, password: newPassword })).tag).toBe('AuthRequiresFactorCreation')
  const entered = outcomeOf(await openClient([url]).post(routes.magiclinkRedeem.path, links.entry))
  expect(entered.tag).toBe('AuthRequiresFactorCreation')
  // The user skipped once with the earlier version, so two of three skips remain.
  expect([await skip(url, grace), await skip(url, grace), await skip(url, grace)]).toEqual([
    'AuthSuccessful',
    'AuthSuccessful',
    'AuthFailureFactorError',
  ])
  expect((await runCli(installation.env, ['user', 'unlock', mallory.username])).stderr).toBe('')
  expect((await signIn(openClient([url]), mallory)).tag).toBe('AuthRequiresFactorCreation')
}

const countsOf = async ({ url }: Installation) => {
  const { db, close } = await openUpToDate(url)
  try {
    const locked = await db
      .selectFrom('failed_logins')
      .select('failedLoginAttempts')
      .where('failedLoginUserIdent', '=', mallory.username)
      .where('failedLoginBrowser', '=', '')
      .executeTakeFirstOrThrow()
    return { locked: Number(locked.failedLoginAttempts) }
  } finally {
    await close()
  }
}

test('upgrades an installation of the earlier version, and downgrades only from a backup', async context => {
  const earlier = await prepare(context)
  const sink = await startSmtpSink()
  const installation = await makeEmptyInstallation(sink.url)
  const { env } = installation
  const journal = createJournal()
  const traffic = createTraffic(journal, await addEarlierUsers(installation, earlier, 1500), sink.mails)
  const before = startProcess(env, earlier.server)
  const used = await useEarlier(await before.ready, sink.mails, traffic, journal)
  await stopped(before)
  const backup = await copyInstallation(installation)

  const now = startProcess(env)
  await checkKept(await now.ready, installation, used, journal)
  await stopped(now)
  expect((await runCli(env, ['doctor'])).stdout).not.toMatch(/^problem +(database|master key|tables)/m)

  // Without the backup, the earlier version changes nothing and says what to do.
  const refused = startProcess(env, earlier.server)
  expect(await refused.ended).toBe(1)
  expect(refused.output.stderr).toMatch(newer)
  expect(await runCli(env, ['user', 'list'], '', earlier.commands)).toMatchObject({ code: 1, stderr: expect.stringMatching(newer) })
  const again = startProcess(env)
  expect(await isAlive(openClient([await again.ready], used.settled.client.jar))).toBe(true)
  await stopped(again)

  const back = startProcess(backup.env, earlier.server)
  const url = await back.ready
  await enterByCode(url, used.settled, await freshCode(used.settled))
  expect(await isAlive(openClient([url], used.settled.client.jar))).toBe(true)
  await stopped(back)
  if (!isOnPostgres()) await checkRestored(backup, used.settled)
}, 600_000)

/** Checks that this version restores a database file of the earlier version as a backup. */
const checkRestored = async (backup: Installation, settled: Settled) => {
  const target = await makeEmptyInstallation(backup.env.GATEHOUSE_SMTP_URL ?? '')
  const { readFile, writeFile } = await import('node:fs/promises')
  const key = await readFile(`${backup.folder}/master.key`)
  await writeFile(`${target.folder}/master.key`, key, { mode: 0o600 })
  const restored = await runCli(target.env, ['restore', sqliteFile(backup.url) ?? ''])
  expect(restored).toMatchObject({ code: 0, stderr: '' })
  const server = startProcess(target.env)
  const url = await server.ready
  expect(await isAlive(openClient([url], settled.client.jar))).toBe(false)
  await enterByCode(url, settled, await freshCode(settled))
  await stopped(server)
}

test.runIf(isOnPostgres())(
  'a server of the earlier version runs beside one of this version, while servers restart one after the other',
  async context => {
    const earlier = await prepare(context)
    const sink = await startSmtpSink()
    const installation = await makeEmptyInstallation(sink.url)
    const { env } = installation
    const users = await addEarlierUsers(installation, earlier, 3000)
    const [oldJournal, newJournal] = [createJournal(), createJournal()]
    const oldTraffic = createTraffic(oldJournal, users.splice(0, 1500), sink.mails)
    const newTraffic = createTraffic(newJournal, users, sink.mails)
    const before = startProcess(env, earlier.server)
    const oldUrl = await before.ready
    const settled = await settle(oldUrl, ada)
    oldTraffic.moveTo(oldUrl)
    const oldRunning = oldTraffic.run()
    await setTimeout(seconds(3))

    // This server updates the tables while the other one handles requests.
    const now = startProcess({ ...env, GATEHOUSE_LISTEN: `127.0.0.1:${Number(new URL(oldUrl).port) + 1}`, GATEHOUSE_PUBLIC_URL: oldUrl })
    await now.ready
    const newUrl = `http://127.0.0.1:${Number(new URL(oldUrl).port) + 1}`
    newTraffic.moveTo(newUrl)
    const newRunning = newTraffic.run()
    const isEnough = () => hasHappened(oldJournal, 5) && hasHappened(newJournal, 5)
    await expect.poll(isEnough, { timeout: seconds(120), interval: 500 }).toBe(true)
    oldTraffic.stop()
    newTraffic.stop()
    await Promise.all([oldRunning, newRunning])

    // Each server has what the other one acknowledged.
    for (const [journal, url] of [
      [oldJournal, newUrl],
      [newJournal, oldUrl],
    ] as const) {
      expect(await broken(journal.facts, url)).toEqual([])
      await tryUsedCodes(journal, url, new Map())
      for (const session of journal.open) expect(await isAlive(openClient([url], session))).toBe(true)
    }
    const entered = await enterByCode(newUrl, settled, await freshCode(settled))
    expect(await isAlive(openClient([oldUrl], entered.jar))).toBe(true)
    expect((await openClient([oldUrl], entered.jar).post(routes.logoutBySelf.path, {})).status).toBe(200)
    expect(await isAlive(openClient([newUrl], entered.jar))).toBe(false)
    expect((await byRecoveryCode(oldUrl, ada, settled.codes[0])).outcome.tag).toBe('AuthSuccessful')
    expect((await byRecoveryCode(newUrl, ada, settled.codes[0])).outcome.tag).toBe('AuthFailureFactorError')
    const [atOld, atNew] = [
      await askForLink(oldUrl, sink.mails, 'new-password', bob),
      await askForLink(newUrl, sink.mails, 'new-password', grace),
    ]
    expect(await resetByLink(newUrl, bob.username, atOld, newPassword)).toBe(200)
    expect(await resetByLink(oldUrl, grace.username, atNew, newPassword)).toBe(200)
    expect((await signIn(openClient([oldUrl]), { ...bob, password: newPassword })).tag).toBe('AuthRequiresFactorCreation')
    expect((await signIn(openClient([newUrl]), { ...grace, password: newPassword })).tag).toBe('AuthRequiresFactorCreation')
    expect((await openClient([oldUrl], settled.client.jar).post(accountRoutes.userAccount.path, {})).status).toBe(200)

    await stopped(before)
    const last = startProcess(env)
    expect(await isAlive(openClient([await last.ready], settled.client.jar))).toBe(true)
    await Promise.all([stopped(now), stopped(last)])
  },
  600_000,
)
