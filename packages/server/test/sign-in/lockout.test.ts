import { routes } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { days, limits, minutes, seconds } from '../../src/limits.ts'
import { ada, type Browser, startServer } from '../support/harness.ts'

const wrong = { ...ada, password: 'wrong password wrong' }
const failedLogin = { tag: 'AuthFailureFailedLogin' }
const successful = { tag: 'AuthSuccessful' }
const fail = async (browser: Browser, times: number) => {
  for (let i = 0; i < times; i++) expect(await browser.signIn(wrong)).toEqual(failedLogin)
}

test('TH-01: after ten wrong passwords the right one is refused for 30 s, then succeeds and resets the count', async () => {
  const server = await startServer()
  await server.addUser()
  const visitor = server.openBrowser()
  await fail(visitor, 10)
  expect(await visitor.signIn()).toEqual(failedLogin)
  server.clock.advance(seconds(30) - 1)
  expect(await visitor.signIn()).toEqual(failedLogin)
  server.clock.advance(1)
  expect(await visitor.signIn()).toMatchObject(successful)
  expect(await server.db.selectFrom('failed_logins').selectAll().execute()).toEqual([])
})

test('nine wrong passwords do not lock the account', async () => {
  const server = await startServer()
  await server.addUser()
  await fail(server.openBrowser(), 9)
  expect(await server.openBrowser().signIn()).toMatchObject(successful)
})

test('TH-01: doubles each lockout, up to one hour', async () => {
  const server = await startServer()
  await server.addUser()
  const visitor = server.openBrowser()
  await fail(visitor, 9)
  for (const wait of [30, 60, 120, 240, 480, 960, 1920, 3600, 3600, 3600].map(seconds)) {
    await fail(visitor, 1)
    const { failedLoginLockCreated, failedLoginLockExpires } = await server.db
      .selectFrom('failed_logins')
      .selectAll()
      .executeTakeFirstOrThrow()
    expect(failedLoginLockCreated).toBe(server.clock.at)
    expect(failedLoginLockExpires).toBe(server.clock.at + wait)
    server.clock.advance(wait)
  }
})

test('an attempt during a lockout does not count as a failure and does not extend the lockout', async () => {
  const server = await startServer()
  await server.addUser()
  const visitor = server.openBrowser()
  await fail(visitor, 30)
  const row = await server.db.selectFrom('failed_logins').selectAll().executeTakeFirstOrThrow()
  expect([row.failedLoginAttempts, row.failedLoginRefused, row.failedLoginLockExpires]).toEqual([10, 20, server.clock.at + seconds(30)])
})

test('TH-02: a hundred failures in a row disable the password, and a year later it is still disabled', async () => {
  const server = await startServer()
  await server.addUser()
  const visitor = server.openBrowser()
  for (let i = 0; i < 100; i++) {
    await fail(visitor, 1)
    server.clock.advance(limits.lockout.longestWait)
  }
  server.clock.advance(365 * 24 * minutes(60))
  const { evaluated } = server.passwords.figures()
  expect(await visitor.signIn()).toEqual(failedLogin)
  expect(server.passwords.figures().evaluated).toBe(evaluated)
})

test('after ninety-nine failures, the right password still succeeds as the hundredth attempt', async () => {
  const server = await startServer()
  await server.addUser()
  for (let i = 0; i < 99; i++) {
    await fail(server.openBrowser(), 1)
    server.clock.advance(limits.lockout.longestWait)
  }
  expect(await server.openBrowser().signIn()).toMatchObject(successful)
})

test('TH-03: two hundred parallel wrong sign-ins check no more passwords than the lockout allows', async () => {
  // The queue is long, so that the lockout, not the queue, refuses the attempts.
  const server = await startServer({ slots: 8 })
  await server.addUser()
  const before = server.passwords.figures().evaluated
  const answers = await Promise.all(
    Array.from({ length: 200 }, () => server.openBrowser().send('POST', routes.getAuthTokenWithError.path, { ...wrong, useragent: '' })),
  )
  expect(answers.map(answer => answer.statusCode)).toEqual(Array(200).fill(200))
  expect(new Set(answers.map(answer => answer.body))).toEqual(new Set([JSON.stringify(failedLogin)]))
  expect(server.passwords.figures().evaluated - before).toBe(10)
  const row = await server.db.selectFrom('failed_logins').selectAll().executeTakeFirstOrThrow()
  expect([row.failedLoginAttempts, row.failedLoginRefused]).toEqual([10, 190])
})

test('TH-06: a known browser has its own count, so an attacker cannot lock the owner out', async () => {
  const server = await startServer()
  await server.addUser()
  const owner = server.openBrowser()
  await owner.enter()
  await owner.call(routes.logoutBySelf, {})
  await fail(server.openBrowser(), 12)
  expect(await server.openBrowser().signIn()).toEqual(failedLogin)
  expect(await owner.signIn()).toMatchObject(successful)
  // The owner's success does not reset the attacker's count.
  expect(await server.openBrowser().signIn()).toEqual(failedLogin)
})

test('a known browser is locked by its own failures, and stays known for a user when another user signs in', async () => {
  const server = await startServer()
  await server.addUser()
  const grace = { username: 'grace@example.com', password: 'another long password' }
  await server.addUser(grace)
  const shared = server.openBrowser()
  await shared.enter(ada)
  await fail(shared, 10)
  await shared.enter(grace)
  // Another user's sign-in renews the browser's cookie and keeps the counts.
  expect(await shared.signIn(ada)).toEqual(failedLogin)
  expect(await server.openBrowser().signIn(ada)).toMatchObject(successful)
  server.clock.advance(seconds(30))
  expect(await shared.signIn(ada)).toMatchObject(successful)
})

test('one user’s browser cookie does not make the browser known to another user', async () => {
  const server = await startServer()
  await server.addUser()
  const eve = { username: 'eve@example.com', password: 'eves own long password' }
  await server.addUser(eve)
  const attacker = server.openBrowser()
  await attacker.enter(eve)
  await fail(attacker, 10)
  expect(await server.openBrowser().signIn()).toEqual(failedLogin)
})

test('A20: counts and locks unknown usernames like known ones', async () => {
  const server = await startServer()
  const visitor = server.openBrowser()
  const nobody = { username: 'nobody@example.com', password: 'x' }
  for (let i = 0; i < 12; i++) await visitor.signIn(nobody)
  const row = await server.db.selectFrom('failed_logins').selectAll().executeTakeFirstOrThrow()
  expect([row.failedLoginAttempts, row.failedLoginRefused]).toEqual([10, 2])
})

test('a browser is known for a year after its last sign-in', async () => {
  const server = await startServer()
  await server.addUser()
  const owner = server.openBrowser()
  await owner.enter()
  server.clock.advance(days(365) - 1)
  await fail(server.openBrowser(), 10)
  expect(await owner.signIn()).toMatchObject(successful)
  server.clock.advance(days(365) + 1)
  await fail(server.openBrowser(), 10)
  expect(await owner.signIn()).toEqual(failedLogin)
})

test('a browser that did not receive the answer to its sign-in is still known', async () => {
  const server = await startServer()
  await server.addUser()
  const owner = server.openBrowser()
  await owner.enter()
  const before = new Map(owner.jar)
  await owner.signIn()
  // The answer with its cookies was lost.
  owner.jar.clear()
  for (const [name, value] of before) owner.jar.set(name, value)
  await fail(server.openBrowser(), 10)
  expect(await owner.signIn()).toMatchObject(successful)
})

test('does not adopt a planted browser cookie', async () => {
  const server = await startServer()
  await server.addUser()
  const [attacker, victim] = [server.openBrowser(), server.openBrowser()]
  victim.jar.set('gatehouse-browser', 'planted')
  attacker.jar.set('gatehouse-browser', 'planted')
  await victim.enter()
  expect(victim.jar.get('gatehouse-browser')).not.toBe('planted')
  await fail(attacker, 10)
  // The attacker's attempts counted with those of unknown browsers, not separately.
  expect(await server.openBrowser().signIn()).toEqual(failedLogin)
})

test('a user has at most fifty known browsers; a new one replaces the oldest', async () => {
  const server = await startServer()
  await server.addUser()
  for (let i = 0; i < 51; i++) {
    await server.openBrowser().signIn()
    server.clock.advance(1)
  }
  const rows = await server.db.selectFrom('known_browsers').select('browserSignedIn').orderBy('browserSignedIn').execute()
  expect([rows.length, rows[0]?.browserSignedIn]).toEqual([50, server.clock.at - 50])
})

test('TH-05: an attempt during a lockout computes one Argon2id hash like any other, and its password is not evaluated', async () => {
  const server = await startServer()
  await server.addUser()
  const visitor = server.openBrowser()
  const costOf = async (sign: () => Promise<unknown>) => {
    const before = server.passwords.figures()
    await sign()
    const { computed, evaluated } = server.passwords.figures()
    return { computed: computed - before.computed, evaluated: evaluated - before.evaluated }
  }
  for (let i = 0; i < 10; i++) expect(await costOf(() => visitor.signIn(wrong))).toEqual({ computed: 1, evaluated: 1 })
  for (const claim of [wrong, ada]) expect(await costOf(() => visitor.signIn(claim))).toEqual({ computed: 1, evaluated: 0 })
})

test('CC-04, TH-12: only a browser in which the user signed in before gets the queue’s share for known browsers', async () => {
  const server = await startServer({ slots: 1 })
  await server.addUser()
  await server.addUser({ username: 'grace@example.com', password: 'a compiler of her own' })
  const known = server.openBrowser({ address: '203.0.113.1' })
  await known.enter()
  const cookie = [...known.jar].find(([name]) => name.endsWith('browser'))
  const forged = server.openBrowser({ address: '203.0.113.2' })
  forged.jar.set(cookie?.[0] ?? '', 'A'.repeat(43))
  let release = () => {}
  const held = new Promise<void>(resolve => (release = resolve))
  const turns = Array.from({ length: 1 + limits.password.queuePerSlot }, (_, i) =>
    server.passwords.inTurn({ address: `198.18.0.${i}` }, () => held),
  )
  const tryAs = (browser: Browser, username: string) =>
    browser.send('POST', routes.getAuthTokenWithError.path, { username, password: ada.password, useragent: '' })
  // The answer is the same for an existing and an unknown username.
  const refused = [
    await tryAs(forged, ada.username),
    await tryAs(forged, 'nobody@example.com'),
    await tryAs(known, 'grace@example.com'),
    await tryAs(known, 'nobody@example.com'),
  ]
  expect(new Set(refused.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1)
  expect(refused[0]?.statusCode).toBe(503)
  const signedIn = tryAs(known, ada.username)
  await expect.poll(() => server.passwords.figures().waiting).toBe(limits.password.queuePerSlot + 1)
  release()
  expect((await signedIn).json()).toMatchObject({ tag: 'AuthSuccessful' })
  await Promise.all(turns)
})
