import { routes } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { createKeyring } from '../../src/keys/keyring.ts'
import { days, hours, limits, minutes, seconds } from '../../src/limits.ts'
import { createMail } from '../../src/mail/mail.ts'
import { createServerLanguages } from '../../src/texts/server-languages.ts'
import { askForLink, failed, linkTo, lookAt, newPassword, reset, skippable, startWithAda } from '../credentials/mailed-recovery.ts'
import { enroll, otpOf } from '../support/authenticator.ts'
import { ada, type Browser, type startServer } from '../support/harness.ts'

type Server = Awaited<ReturnType<typeof startServer>>

const redirect = { tag: 'RedirectDashboard' }
const kinds = {
  'password reset': (browser: Browser, useremail: string) => browser.send('POST', routes.sendPasswordResetEmail.path, { useremail }),
  'one-time link': (browser: Browser, email: string) => browser.send('POST', routes.magiclinkSend.path, [{ email, redirect }]),
}
type Kind = keyof typeof kinds
const everyKind = Object.keys(kinds) as Kind[]

const alike = ({ statusCode, body, headers: { 'x-request-id': _, date: __, ...rest } }: Awaited<ReturnType<Browser['send']>>) =>
  JSON.stringify({ statusCode, body, rest })

/** Requests mail and counts what is sent to an address, by default Ada's. */
const createAsker = (server: Server, kind: Kind, to = ada.username) => {
  const answers = new Set<string>()
  const mailed = async () => (await server.deliver()).filter(mail => mail.to === to).length
  /** @returns the number of mails the requests send */
  const ask = async (browser: Browser, times = 1) => {
    const before = await mailed()
    for (let i = 0; i < times; i++) {
      answers.add(alike(await kinds[kind](browser, to)))
      server.clock.advance(seconds(1))
      await server.deliver()
    }
    return (await mailed()) - before
  }
  return { ask, answers }
}

test.each(everyKind)(
  'TH-16, TH-12: an attacker who exhausts every quota for %s mail cannot keep the owner from getting one',
  async kind => {
    const server = await startWithAda()
    const known = server.openBrowser()
    await known.enter()
    const { ask, answers } = createAsker(server, kind)
    const visitor = server.openBrowser({ address: '198.51.100.7' })
    expect(await ask(visitor, 4)).toBe(3)
    expect(await ask(server.openBrowser({ address: '203.0.113.9' }))).toBe(1)
    expect(await ask(known)).toBe(1)
    for (let quarter = 0; quarter < 4; quarter++) {
      server.clock.advance(minutes(15))
      await ask(visitor, 3)
    }
    // The attacker's daily quota is used up; the owner's is not.
    server.clock.advance(hours(1))
    expect(await ask(visitor, 2)).toBe(0)
    expect(await ask(server.openBrowser({ address: '203.0.113.10' }))).toBe(1)
    expect(await ask(known)).toBe(1)
    expect(answers.size).toBe(1)
    expect(await createAsker(server, kind, 'nobody@example.com').ask(visitor)).toBe(0)
    answers.add(alike(await kinds[kind](visitor, 'nobody@example.com')))
    expect(answers.size).toBe(1)
  },
)

test('TH-16: an owner whose password is disabled gets a reset mail in a new browser during a flood', async () => {
  const server = await startWithAda()
  for (let i = 0; i < 10; i++) await server.openBrowser().signIn({ ...ada, password: 'wrong' })
  await server.db.updateTable('failed_logins').set({ failedLoginAttempts: limits.lockout.disabledFrom }).execute()
  const { ask } = createAsker(server, 'password reset')
  await ask(server.openBrowser({ address: '198.51.100.7' }), 5)
  const owner = server.openBrowser({ address: '203.0.113.9' })
  expect(await owner.signIn()).toEqual(failed)
  expect(await ask(owner)).toBe(1)
  expect((await reset(owner, await linkTo(server, 'new-password'))).statusCode).toBe(200)
  expect((await owner.signIn({ ...ada, password: newPassword })).tag).toBe('AuthSuccessful')
})

test('TH-16: the networks of an IPv6 /48 share twice the quota of one network', async () => {
  const server = await startWithAda()
  const { ask } = createAsker(server, 'password reset')
  let mailed = 0
  for (let i = 0; i < 20; i++) mailed += await ask(server.openBrowser({ address: `2001:db8:1:${i}::1` }), 4)
  expect(mailed).toBe(limits.mail.few.most * limits.mail.siteTimes)
  expect(await ask(server.openBrowser({ address: '2001:db8:2::1' }))).toBe(1)
})

test('TH-11, TH-16: known browsers share a quota; beyond it they count as unknown', async () => {
  const server = await startWithAda()
  const browsers = [server.openBrowser({ address: '203.0.113.1' }), server.openBrowser({ address: '203.0.113.1' })]
  for (const browser of browsers) await browser.enter()
  const { ask } = createAsker(server, 'one-time link')
  const mailed = []
  for (let i = 0; i < 8; i++) mailed.push(await ask(browsers[i % 2] ?? server.openBrowser()))
  expect(mailed).toEqual([1, 1, 1, 1, 1, 1, 0, 0])
})

test('TH-16: a browser with a forged cookie or another user’s cookie counts as unknown', async () => {
  const server = await startWithAda()
  await server.addUser({ username: 'grace@example.com', password: 'a compiler of her own' })
  const { ask } = createAsker(server, 'password reset')
  const grace = server.openBrowser({ address: '198.51.100.7' })
  await grace.enter({ username: 'grace@example.com', password: 'a compiler of her own' })
  const forged = server.openBrowser({ address: '198.51.100.7' })
  for (const name of grace.jar.keys()) if (name.endsWith('browser')) forged.jar.set(name, 'A'.repeat(43))
  expect(forged.jar.size).toBe(1)
  expect([await ask(grace, 2), await ask(forged, 2), await ask(grace, 2), await ask(forged, 2)]).toEqual([2, 1, 0, 0])
  // For its own user, the same cookie makes the browser a known one.
  const own = createAsker(server, 'password reset', 'grace@example.com')
  await own.ask(server.openBrowser({ address: '198.51.100.7' }), 4)
  expect(await own.ask(grace)).toBe(1)
})

test.each(everyKind)('TH-11: a botnet causes %s mail at a bounded rate only, and the owner still gets one per half hour', async kind => {
  const server = await startWithAda()
  const { ask } = createAsker(server, kind)
  const { few, many, spacing } = limits.mail.strangers
  let networks = 0
  const flood = () => ask(server.openBrowser({ address: `10.9.${networks >> 8}.${networks++ & 255}` }))
  let mailed = 0
  for (let i = 0; i < few.most + 20; i++) mailed += await flood()
  expect(mailed).toBe(few.most)
  server.clock.advance(minutes(15))
  for (let i = 0; i < many.most; i++) mailed += await flood()
  expect(mailed).toBe(many.most)
  // From now on the server sends the owner one mail per half hour, no matter which network requests it.
  for (let i = 0; i < 5; i++) {
    server.clock.advance(spacing)
    expect([await flood(), await flood(), await ask(server.openBrowser())]).toEqual([1, 0, 0])
    if (kind === 'password reset') {
      server.clock.advance(spacing - minutes(1))
      expect((await lookAt(server, 'new-password', await linkTo(server, 'new-password'))).state).toBe('Good')
      server.clock.advance(minutes(1) - spacing)
    }
  }
  server.clock.advance(days(1))
  expect(await flood()).toBe(1)
})

test('TH-16: an attacker with the password exhausts none of the owner’s factor resets', async () => {
  const server = await startWithAda(skippable)
  const owner = server.openBrowser({ address: '203.0.113.9' })
  await enroll(owner, server.clock)
  const before = (await server.deliver()).length
  const ask = async (browser: Browser) => {
    expect((await browser.call(routes.resetOTP, otpOf(ada))).tag).toBe('AuthRequiresFactorReset')
    server.clock.advance(seconds(1))
    return (await server.deliver()).filter(mail => mail.text.includes('/new-factor#')).length
  }
  const attacker = server.openBrowser({ address: '198.51.100.7' })
  const mailed = []
  for (let i = 0; i < 5; i++) mailed.push(await ask(attacker))
  expect(mailed).toEqual([1, 2, 3, 3, 3])
  expect(await ask(server.openBrowser({ address: '203.0.113.10' }))).toBe(4)
  expect(await ask(owner)).toBe(5)
  expect(before).toBeGreaterThan(0)
})

test('TH-16: an attacker does not prevent single sign-on mail for the owner’s known browser', async () => {
  const server = await startWithAda()
  const known = server.openBrowser()
  await known.enter()
  await server.db.updateTable('users').set({ userPassword: null, userGoogleId: 'https://accounts.google.com 1' }).execute()
  const { ask } = createAsker(server, 'one-time link')
  const visitor = server.openBrowser({ address: '198.51.100.7' })
  expect([await ask(visitor, 3), await ask(known, 3), await ask(visitor)]).toEqual([1, 1, 0])
})

test('sends mail that a server of the previous version queued', async () => {
  const server = await startWithAda()
  const mail = createMail({
    keyring: createKeyring(server.config.masterKeys),
    now: () => server.clock.at,
    administrators: [],
    texts: createServerLanguages([], 'en'),
  })
  for (let i = 0; i < 4; i++) await mail.queueRequest(server.db, { request: 'PasswordReset', ident: ada.username })
  expect(await server.deliver()).toHaveLength(3)
  // Requests that the server of the previous version queued count against no network's quota.
  await server.db.updateTable('mail_links').set({ mailLinkNetwork: null, mailLinkSite: null }).execute()
  expect(await createAsker(server, 'password reset').ask(server.openBrowser({ address: '198.51.100.7' }), 4)).toBe(3)
})

test('EM-07: using one of two one-time links invalidates the other, even when both are used at once', async () => {
  const server = await startWithAda()
  for (let round = 0; round < 10; round++) {
    const links = [await askForLink(server), await askForLink(server)]
    const answers = await Promise.all(links.map(link => server.openBrowser().call(routes.magiclinkRedeem, link)))
    expect(answers.filter(answer => answer.tag === 'AuthSuccessful')).toHaveLength(1)
    const states = await Promise.all(links.map(async link => (await lookAt(server, 'one-time-link', link)).state))
    expect(states.toSorted()).toEqual(['Expired', 'Used'])
    server.clock.advance(hours(24))
  }
})

test('EM-07: using a link of one kind leaves the other kind valid', async () => {
  const server = await startWithAda()
  const link = await askForLink(server)
  expect(await createAsker(server, 'password reset').ask(server.openBrowser())).toBe(1)
  await server.openBrowser().call(routes.magiclinkRedeem, link)
  expect((await lookAt(server, 'new-password', await linkTo(server, 'new-password'))).state).toBe('Good')
})

test('TH-16: stores the network of a mail request only as a hash, which differs between users', async () => {
  const server = await startWithAda()
  await server.addUser({ username: 'grace@example.com', password: 'a compiler of her own' })
  const asked = server.openBrowser({ address: '2001:db8:1:2::7' })
  for (const to of [ada.username, 'grace@example.com']) await createAsker(server, 'password reset', to).ask(asked)
  const rows = await server.db.selectFrom('mail_links').select(['mailLinkNetwork', 'mailLinkSite', 'mailLinkKnown']).execute()
  expect(rows).toHaveLength(2)
  expect(new Set(rows.flatMap(row => [row.mailLinkNetwork, row.mailLinkSite])).size).toBe(4)
  for (const row of rows)
    expect(row).toEqual({
      mailLinkNetwork: expect.stringMatching(/^[\w-]{43}$/),
      mailLinkSite: expect.stringMatching(/^[\w-]{43}$/),
      mailLinkKnown: 0,
    })
})
