import { accountRoutes, routes } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { minutes } from '../../src/limits.ts'
import { ada, type Browser, isSignedIn, startServer } from '../support/harness.ts'

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const show = (browser: Browser) => browser.call(accountRoutes.userAccount, {})
const otherOf = async (browser: Browser) => (await show(browser)).browsers.find(({ own }) => !own)
const forget = (browser: Browser, browserId: string) => browser.send('POST', accountRoutes.userBrowserForget.path, { browserId })
const wrong = { ...ada, password: 'not the password at all', useragent: '' }

/** Ada signs in on two devices, on the second a minute after the first. */
const startTwice = async () => {
  const server = await startServer()
  const userId = await server.addUser()
  const desktop = server.openBrowser({ address: '192.168.1.20', userAgent: firefox })
  await desktop.enter()
  server.clock.advance(minutes(1))
  const laptop = server.openBrowser({ address: '203.0.113.7' })
  await laptop.enter()
  return { server, userId, desktop, laptop }
}

/** Locks out a known browser, or all unknown browsers. */
const lockOut = async (browser: Browser) => {
  for (let i = 0; i < 10; i++) await browser.send('POST', routes.getAuthTokenWithError.path, wrong)
}
const signsIn = async (browser: Browser) => (await browser.signIn()).tag === 'AuthSuccessful'

test('TH-06: lists the known browsers with device, address, first and last sign-in, and no secret', async () => {
  const { server, desktop, laptop } = await startTwice()
  const iso = (at: number) => new Date(at).toISOString()
  const [first, second] = [iso(server.clock.at - minutes(1)), iso(server.clock.at)]
  const { browsers } = await show(laptop)
  expect(browsers).toEqual([
    {
      browserId: expect.any(String),
      own: true,
      browserFirstSeen: second,
      browserSignedIn: second,
      from: { address: '203.0.113.7', place: 'Here' },
    },
    {
      browserId: expect.any(String),
      own: false,
      browserFirstSeen: first,
      browserSignedIn: first,
      from: { address: '192.168.1.20', place: 'Inside', browser: 'Firefox', system: 'Linux' },
    },
  ])
  const page = (await laptop.get('/account')).body
  for (const browser of [desktop, laptop]) {
    const secret = browser.jar.get('gatehouse-browser') ?? '?'
    expect([page.includes(secret), JSON.stringify(browsers).includes(secret)]).toEqual([false, false])
  }
  for (const { browserHash } of await server.db.selectFrom('known_browsers').select('browserHash').execute())
    expect([page.includes(browserHash), JSON.stringify(browsers).includes(browserHash)]).toEqual([false, false])
})

test('updates the last sign-in, the address and the device of a known browser, and keeps its first sign-in', async () => {
  const { server, desktop } = await startTwice()
  server.clock.advance(minutes(2))
  // The same browser in another network, with a User-Agent that names another device.
  const moved = server.openBrowser({
    address: '198.51.100.9',
    userAgent: firefox.replace('X11; Linux x86_64', 'Windows NT 10.0; Win64; x64'),
  })
  moved.jar.set('gatehouse-browser', desktop.jar.get('gatehouse-browser') ?? '')
  await moved.enter()
  const own = (await show(moved)).browsers.find(browser => browser.own)
  expect(Date.parse(own?.browserSignedIn ?? '') - Date.parse(own?.browserFirstSeen ?? '')).toBe(minutes(3))
  expect(own?.from).toMatchObject({ address: '198.51.100.9', browser: 'Firefox', system: 'Windows' })
})

test('lists a browser that an older version recorded', async () => {
  const { server, desktop, laptop } = await startTwice()
  await server.db.updateTable('known_browsers').set({ browserFirstSeen: null, browserUserAgent: null, browserAddress: null }).execute()
  const { browsers } = await show(laptop)
  expect(browsers.map(({ own, browserSignedIn, ...more }) => [own, Object.keys(more)])).toEqual([
    [true, ['browserId']],
    [false, ['browserId']],
  ])
  expect((await forget(laptop, browsers[1]?.browserId ?? '')).statusCode).toBe(200)
  expect(await isSignedIn(desktop)).toBe(true)
})

test('TH-06: a forgotten browser stays signed in, and the lockout of unknown browsers applies to it', async () => {
  const { server, desktop, laptop } = await startTwice()
  await lockOut(server.openBrowser({ address: '198.51.100.66' }))
  // A known browser has its own count of failed attempts.
  expect(await signsIn(desktop)).toBe(true)
  const other = await otherOf(laptop)
  expect((await forget(laptop, other?.browserId ?? '')).json()).toEqual({})
  expect(await isSignedIn(desktop)).toBe(true)
  expect(await signsIn(desktop)).toBe(false)
  // After the lockout, a sign-in makes the browser known again, with a new cookie value.
  server.clock.advance(minutes(2))
  const before = desktop.jar.get('gatehouse-browser')
  expect(await signsIn(desktop)).toBe(true)
  expect(desktop.jar.get('gatehouse-browser')).not.toBe(before)
  expect((await show(laptop)).browsers).toHaveLength(2)
})

test('forgetting a browser deletes its count of failed attempts', async () => {
  const { server, desktop, laptop } = await startTwice()
  await lockOut(desktop)
  const count = async () => (await server.db.selectFrom('failed_logins').selectAll().execute()).length
  expect(await count()).toBe(1)
  const other = await otherOf(laptop)
  await forget(laptop, other?.browserId ?? '')
  expect(await count()).toBe(0)
})

test('forgets all other browsers of this user, and none of another user', async () => {
  const { server, userId, desktop, laptop } = await startTwice()
  const grace = { username: 'grace@example.com', password: 'a compiler of her own' }
  await server.addUser(grace)
  await desktop.enter(grace)
  const rows = () => server.db.selectFrom('known_browsers').select('browserUser').execute()
  expect(await rows()).toHaveLength(3)
  await laptop.call(accountRoutes.userBrowserForgetOthers, {})
  expect((await rows()).map(({ browserUser }) => browserUser === userId).toSorted()).toEqual([false, true])
  expect((await show(laptop)).browsers.map(({ own }) => own)).toEqual([true])
  // Ada cannot forget the other user's browser.
  const [graces] = (await show(desktop)).browsers
  const { statusCode, json } = await forget(laptop, graces?.browserId ?? '')
  expect([statusCode, json()]).toEqual([404, { error: 'browserId: there is no such browser' }])
  expect(await rows()).toHaveLength(2)
})

test('TH-06: audits each request to forget browsers, lists it in the user’s activity, and requires a session', async () => {
  const { server, userId, laptop } = await startTwice()
  const other = await otherOf(laptop)
  await forget(laptop, other?.browserId ?? '')
  await laptop.call(accountRoutes.userBrowserForgetOthers, {})
  const rows = await server.db
    .selectFrom('audit')
    .select(['auditActor', 'auditTarget', 'auditResult', 'auditAddress'])
    .where('auditEvent', '=', 'browser-forgotten')
    .execute()
  const by = { auditActor: userId, auditTarget: userId, auditAddress: '203.0.113.7' }
  expect(rows).toHaveLength(2)
  expect(rows).toEqual(
    expect.arrayContaining([
      { ...by, auditResult: 'successful' },
      { ...by, auditResult: 'all others' },
    ]),
  )
  expect((await show(laptop)).activity.rows.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['BrowserForgotten', 'OtherBrowsersForgotten']),
  )
  const anonymous = server.openBrowser()
  expect((await forget(anonymous, other?.browserId ?? '')).statusCode).toBe(401)
  expect((await anonymous.send('POST', accountRoutes.userBrowserForgetOthers.path, {})).statusCode).toBe(401)
})

test('TH-06: a user can forget the browser in use, which stays signed in', async () => {
  const { server, laptop } = await startTwice()
  const own = (await show(laptop)).browsers.find(browser => browser.own)
  expect((await forget(laptop, own?.browserId ?? '')).statusCode).toBe(200)
  expect((await show(laptop)).browsers.map(browser => browser.own)).toEqual([false])
  await lockOut(server.openBrowser({ address: '198.51.100.66' }))
  expect(await signsIn(laptop)).toBe(false)
})
