import { accountRoutes, administrationRoutes, type ErrorCode, routes } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { addPass, endOnePass, listAllPasses } from '../../src/cli/passes.ts'
import { createKeyring } from '../../src/keys/keyring.ts'
import { days, hours, limits, minutes } from '../../src/limits.ts'
import { listMails } from '../../src/mail/outbox.store.ts'
import { mailedLink } from '../credentials/mailed-link.ts'
import { enroll } from '../support/authenticator.ts'
import { ada, admin, type Browser } from '../support/harness.ts'
import { check } from './asked.ts'
import {
  type Asked,
  addServicePass,
  admitting,
  cli,
  create,
  enter,
  grace,
  idOf,
  prometheus,
  start,
  statusOf,
  tryToCreate,
} from './pass-holders.ts'

test('creating a pass requires a recent sign-in with the second factor, if the user has one', async () => {
  const server = await start({ GATEHOUSE_SECOND_FACTOR: 'skippable' })
  expect((await tryToCreate(server.openBrowser()))[0]).toBe(401)
  const browser = server.openBrowser()
  await enroll(browser, server.clock, ada)
  expect((await tryToCreate(browser))[0]).toBe(200)
  server.clock.advance(minutes(16))
  expect(await tryToCreate(browser)).toEqual([403, expect.stringContaining('ReauthenticationRequired')])
  // Attack: a stolen session and the password give no pass, which would outlive both.
  await browser.call(accountRoutes.userPasswordConfirm, { password: ada.password })
  expect(await tryToCreate(browser)).toEqual([403, expect.stringContaining('SecondFactorRequired')])
  await server.db.updateTable('sessions').set({ sessionFactorAt: server.clock.at }).execute()
  expect((await tryToCreate(browser))[0]).toBe(200)
  await server.db.updateTable('sessions').set({ sessionFactor: null }).execute()
  expect(await tryToCreate(browser)).toEqual([403, expect.stringContaining('SecondFactorRequired')])
})

test('without the required passkey, a session cannot create a pass, and the user’s earlier passes stop working', async () => {
  const open = await start()
  const early = await create(await enter(open, admin))
  const policy = { GATEHOUSE_SECOND_FACTOR: 'phishing-resistant-administrators' }
  const server = await start(policy)
  const browser = server.openBrowser()
  await enroll(browser, server.clock, admin)
  expect(await tryToCreate(browser)).toEqual([403, expect.stringContaining('passkey: sign in with a passkey first')])
  const rows = await open.db.selectFrom('passes').selectAll().execute()
  const account = await server.db.selectFrom('users').select('userId').where('userIdent', '=', admin.username).executeTakeFirstOrThrow()
  await server.db
    .insertInto('passes')
    .values(rows.map(row => ({ ...row, passUser: account.userId })))
    .execute()
  expect([await statusOf(open, early), await statusOf(server, early)]).toEqual([200, 403])
})

test.each<[Asked, string, (ErrorCode | undefined)?]>([
  [{ name: ' ' }, 'name: must have 1 to 64 characters', 'NameLength'],
  [{ name: 'x'.repeat(65) }, 'name: must have 1 to 64 characters', 'NameLength'],
  [{ to: [] }, 'to: must name at least one address'],
  [{ to: ['prometheus'] }, 'to: ‘prometheus’ must begin with an origin', 'PassAddressOrigin'],
  [{ to: [prometheus] }, `to: ‘${prometheus}’ must have a path`, 'PassAddressPath'],
  [{ to: ['https://grafana.example.com/*'] }, 'to: no rule admits passes at ‘https://grafana.example.com/*’', 'PassAddressElsewhere'],
  [{ to: ['https://elsewhere.example.com/*'] }, 'to: no rule admits passes at', 'PassAddressElsewhere'],
  [{ to: [`${prometheus}/((?:a+)+)b`] }, 'must have only words in parentheses', 'PassAddressForm'],
  [{ to: [`${prometheus}/*a*a*a*b`] }, 'may have one * besides one at its end', 'PassAddressForm'],
  [{ to: [`${prometheus}/:a-:b/*`] }, 'must not have two of * and :name in one segment', 'PassAddressForm'],
  [{ to: [`${prometheus}/${'a'.repeat(512)}`] }, 'has more than 512 characters', 'PassAddressForm'],
  [{ to: [`${prometheus}/:a/*`] }, 'must be an address, which may end with /*', 'PassAddressForm'],
  [{ to: [`${prometheus}/*/b`] }, 'must be an address, which may end with /*', 'PassAddressForm'],
  [{ to: [`${prometheus}/(a|b)`] }, 'must be an address, which may end with /*', 'PassAddressForm'],
  [{ to: [`${prometheus}/x{/*}?`] }, 'must be an address, which may end with /*', 'PassAddressForm'],
  [{ to: [`${prometheus}/${'a'.repeat(500)}`] }, 'must be an address, which may end with /*', 'PassAddressForm'],
  [{ methods: ['get'] }, 'methods: ‘get’ must be a method in capitals', 'PassMethod'],
  [{ from: ['home'] }, 'from: ‘home’ must be an address or a network', 'PassNetwork'],
  [{ days: 0 }, 'days: must be from 1 to 365'],
  [{ days: 366 }, 'days: must be from 1 to 365'],
])('refuses %j and names the field', async (asked, error, code) => {
  const server = await start()
  const [status, body] = await tryToCreate(await enter(server, ada), asked)
  const entry = [asked.to, asked.methods, asked.from].find(Boolean)?.[0]
  expect([status, JSON.parse(body)]).toEqual([
    400,
    { error: expect.stringContaining(error), ...(code && { code }), ...(code && entry && { value: entry }) },
  ])
})

test('a user can have at most 20 passes', async () => {
  const server = await start()
  const browser = await enter(server, ada)
  for (let i = 0; i < limits.pass.perUser; i++) await create(browser)
  expect((await tryToCreate(browser))[0]).toBe(409)
  await browser.call(accountRoutes.userPassEnd, { passId: await idOf(browser) })
  expect((await tryToCreate(browser))[0]).toBe(200)
})

test('users cannot end each other’s passes; an ended or expired pass stops working at once', async () => {
  const server = await start()
  const [browser, other] = [await enter(server, ada), await enter(server, grace)]
  const [first, second] = [await create(browser), await create(browser)]
  const passId = await idOf(browser)
  const byOther = await other.send('POST', accountRoutes.userPassEnd.path, { passId })
  expect([byOther.statusCode, await statusOf(server, second)]).toEqual([404, 200])
  await browser.call(accountRoutes.userPassEnd, { passId })
  expect([await statusOf(server, first), await statusOf(server, second)].toSorted()).toEqual([200, 401])
  server.clock.advance(days(30))
  expect([await statusOf(server, first), await statusOf(server, second)]).toEqual([401, 401])
  await server.backgroundJobs.purge()
  expect(await server.db.selectFrom('passes').selectAll().execute()).toEqual([])
})

test.each([
  ['ending all sessions', (browser: Browser, userId: string) => browser.call(administrationRoutes.endSessions, { userId })],
  ['a forced reset', (browser: Browser, userId: string) => browser.call(administrationRoutes.forceReset, { userId })],
  ['deletion', (browser: Browser, userId: string) => browser.call(administrationRoutes.remove, { userId, userIdent: ada.username })],
])('%s by an administrator ends the user’s passes', async (_, act) => {
  const server = await start({ GATEHOUSE_SECOND_FACTOR: 'skippable' })
  const administrator = server.openBrowser()
  await enroll(administrator, server.clock, admin)
  const browser = server.openBrowser()
  await enroll(browser, server.clock, ada)
  const pass = await create(browser)
  expect(await statusOf(server, pass)).toBe(200)
  const { userId } = await server.db.selectFrom('users').select('userId').where('userIdent', '=', ada.username).executeTakeFirstOrThrow()
  await act(administrator, userId)
  expect(await statusOf(server, pass)).toBe(401)
})

test('a new password by mail ends the user’s passes, because the mailbox could have been used to create them', async () => {
  const server = await start()
  const pass = await create(await enter(server, ada))
  const visitor = server.openBrowser()
  await visitor.call(routes.sendPasswordResetEmail, { useremail: ada.username })
  const { selector, token } = mailedLink(await server.deliver(), 'new-password')
  const password = 'another long password of hers'
  await visitor.call(routes.resetPassword, {
    username: ada.username,
    resettoken: `${selector}.${token}`,
    newpassword: password,
    newpasswordverification: password,
  })
  expect(await statusOf(server, pass)).toBe(401)
})

const newpassword = 'another long password of hers'
const chosen = { useridentity: ada.username, newpassword, newpasswordverification: newpassword }

test.each([
  ['a password change', ada.password],
  ['a first password', undefined],
])('%s on the account page ends the user’s passes and no other user’s', async (_, oldpassword) => {
  const server = await start()
  const browser = await enter(server, ada)
  const passes = [await create(browser), await create(browser), await create(await enter(server, grace))]
  const statuses = () => Promise.all(passes.map(pass => statusOf(server, pass)))
  if (oldpassword === undefined)
    await server.db.updateTable('users').set({ userPassword: null }).where('userIdent', '=', ada.username).execute()
  expect(await statuses()).toEqual([200, 200, 200])
  await (oldpassword === undefined
    ? browser.call(accountRoutes.userPasswordCreate, chosen)
    : browser.call(accountRoutes.userPasswordUpdate, { ...chosen, oldpassword }))
  expect(await statuses()).toEqual([401, 401, 200])
  expect((await browser.call(accountRoutes.userPasses, {})).passes).toEqual([])
})

test('stores the last use at most once a minute, and lists it', async () => {
  const server = await start()
  const browser = await enter(server, ada)
  const pass = await create(browser)
  const used = async () => {
    const [listed] = (await browser.call(accountRoutes.userPasses, {})).passes
    return [listed?.used, listed?.usedFrom]
  }
  const from = (address: string) => check(server.openBrowser({ address }), `${prometheus}/api`, { authorization: `Bearer ${pass}` })
  const first = new Date(server.clock.at).toISOString()
  await from('10.0.0.1')
  server.clock.advance(minutes(1) - 1)
  await from('10.0.0.2')
  expect(await used()).toEqual([first, '10.0.0.1'])
  server.clock.advance(1)
  await from('10.0.0.2')
  expect(await used()).toEqual([new Date(server.clock.at).toISOString(), '10.0.0.2'])
})

test('mails the owner about a new pass, and once two weeks before it expires; mails administrators before a service’s pass expires', async () => {
  const server = await start()
  const browser = await enter(server, ada)
  await create(browser, { name: 'Nightly backup', days: 30 })
  await addServicePass(server, { to: admitting.join(), days: '30', name: 'Scraper' })
  const subjects = async () => {
    const mails = await listMails(server.db, createKeyring(server.config.masterKeys), 20)
    return mails.flatMap(({ content }) => (content && 'message' in content ? [`${content.to}: ${content.message.kind}`] : []))
  }
  expect(await subjects()).toEqual(['ada@example.com: pass-created'])
  server.clock.advance(days(16) - hours(1))
  await server.backgroundJobs.notifyOfPasses()
  expect(await subjects()).toHaveLength(1)
  server.clock.advance(hours(1))
  await server.backgroundJobs.notifyOfPasses()
  await server.backgroundJobs.notifyOfPasses()
  expect((await subjects()).toSorted()).toEqual([
    'ada@example.com: pass-created',
    'ada@example.com: pass-ends',
    'admin@example.com: service-pass-ends',
  ])
})

test('the command line creates, lists and ends passes, and names the wrong argument', async () => {
  const server = await start()
  await create(await enter(server, ada), { name: 'Hers' })
  const pass = await addServicePass(server, { to: `${prometheus}/metrics`, methods: 'GET, HEAD', from: '10.0.0.0/8', days: '7' })
  expect(pass).toMatch(/^gh_pass_/)
  const listed = cli(server, [])
  await listAllPasses(listed.deps)
  expect(listed.lines).toHaveLength(2)
  expect(listed.lines.join('\n')).toMatch(
    /service prometheus {2}prometheus {2}https:\/\/prometheus\.example\.com\/metrics {2}ends .* {2}never used/,
  )
  const [[rows]] = listed.data.mock.calls as [[{ id: string; owner: string }[]]]
  const service = rows.find(({ owner }) => owner === 'service prometheus')
  await endOnePass(cli(server, [service?.id ?? '']).deps)
  expect(await statusOf(server, pass, `${prometheus}/metrics`)).toBe(401)
  await expect(endOnePass(cli(server, ['nothing']).deps)).rejects.toThrow('There is no pass nothing')
  await expect(addPass(cli(server, ['Prometheus!'], {}).deps)).rejects.toThrow('SERVICE: must have')
  await expect(addPass(cli(server, ['x'], { to: 'y' }).deps)).rejects.toThrow('--to: ‘y’ must begin with an origin')
})
