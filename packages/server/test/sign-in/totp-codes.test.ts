import { routes } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { days, hours, minutes, seconds } from '../../src/limits.ts'
import { codeAt, enroll, offered, secretOf } from '../support/authenticator.ts'
import { invalidCode, otp, resetFactor, skippable, startEnrolled, startWithAda } from '../support/second-factor-users.ts'

test('TP-01: secrets have 160 bits and never repeat', async () => {
  const { server } = await startWithAda()
  const browser = server.openBrowser()
  const secrets = new Set<string>()
  for (let i = 0; i < 20; i++) secrets.add(secretOf(offered(await browser.signIn())))
  expect(secrets.size).toBe(20)
  for (const secret of secrets) expect(secret).toMatch(/^[A-Z2-7]{32}$/)
})

test('TP-02: accepts codes of the previous and next step, but not two steps away', async () => {
  const { server, secret, verify } = await startEnrolled()
  server.clock.advance(minutes(10))
  const codeOf = (step: number) => codeAt(secret, server.clock.at + step * seconds(30))
  expect(await verify(await codeOf(-2))).toEqual(invalidCode('Pending'))
  expect(await verify(await codeOf(2))).toEqual(invalidCode('Pending'))
  expect((await verify(await codeOf(-1))).tag).toBe('AuthSuccessful')
  expect((await verify(await codeOf(1))).tag).toBe('AuthSuccessful')
})

test('TP-03, A25: accepts a step once and no older step after it, also after the set-up code', async () => {
  const { server, secret, code, verify } = await startEnrolled()
  expect(await verify(await codeAt(secret, server.clock.at - seconds(30)))).toEqual(invalidCode('Pending'))
  expect((await verify(await code())).tag).toBe('AuthSuccessful')
  expect(await verify(await code())).toEqual(invalidCode('Pending'))
  server.clock.advance(minutes(5))
  const [older, newer] = [await codeAt(secret, server.clock.at), await codeAt(secret, server.clock.at + seconds(30))]
  expect((await verify(newer)).tag).toBe('AuthSuccessful')
  expect(await verify(older)).toEqual(invalidCode('Pending'))
})

test('TP-04: a code with leading zeros is the integer without them; refuses anything else without counting it', async () => {
  const { server, secret, browser, verify } = await startEnrolled()
  // A time whose code begins with a zero.
  let code = 999_999
  for (let i = 0; code > 99_999 && i < 500; i++) {
    server.clock.advance(seconds(30))
    code = await codeAt(secret, server.clock.at)
  }
  expect(code).toBeLessThan(100_000)
  for (const otpVerification of [-1, 1_000_000, 1.5, '123456', '000123', true, []]) {
    const answer = await browser.send('POST', routes.verifyOTP.path, { ...otp, otpVerification })
    expect(answer.statusCode).toBe(400)
    expect(answer.json().error).toContain('/otpVerification')
  }
  expect(await server.db.selectFrom('failed_codes').selectAll().execute()).toEqual([])
  expect((await verify(code)).tag).toBe('AuthSuccessful')
})

test('TP-05: ignores the Date header and rejects a time in the body', async () => {
  const { server, secret, browser } = await startEnrolled()
  const later = server.clock.at + hours(1)
  const body = { ...otp, otpVerification: await codeAt(secret, later) }
  const date = new Date(later).toUTCString()
  expect((await browser.send('POST', routes.verifyOTP.path, body, { date })).json()).toEqual(invalidCode('Pending'))
  expect((await browser.send('POST', routes.verifyOTP.path, { ...body, now: later })).statusCode).toBe(400)
})

test('TP-06: secrets are encrypted in the database, and a swapped secret opens nothing', async () => {
  const { server, userId, secret, code, verify } = await startEnrolled()
  const grace = { username: 'grace@example.com', password: 'another horse battery' }
  await server.addUser(grace)
  const graces = await enroll(server.openBrowser(), server.clock, grace)
  const rows = await server.db.selectFrom('totp_bindings').selectAll().execute()
  expect(rows).toHaveLength(2)
  for (const known of [secret, graces.secret]) expect(JSON.stringify(rows)).not.toContain(known)
  const [a, b] = rows
  if (!a || !b) throw new Error('no rows')
  for (const [to, from] of [
    [a, b],
    [b, a],
  ] as const) {
    await server.db
      .updateTable('totp_bindings')
      .set({ factorTOTPBindingSecret: from.factorTOTPBindingSecret })
      .where('factorTOTPBindingFactorUUID', '=', to.factorTOTPBindingFactorUUID)
      .execute()
  }
  server.clock.advance(seconds(30))
  const answers = [await verify(await code()), await verify(await codeAt(graces.secret, server.clock.at))]
  for (const answer of answers) {
    expect(answer).toEqual({
      tag: 'AuthFailureFactorError',
      contents: { tag: 'StoreError', contents: { tag: 'StoreIOError', contents: 'the secret of this factor cannot be read' } },
    })
  }
  const events = await server.db.selectFrom('audit').select(['auditResult', 'auditTarget']).execute()
  expect(events).toContainEqual({ auditResult: 'secret-unreadable', auditTarget: userId })
})

test('TH-08, A02: five wrong codes cause a 15-minute pause that nothing resets', async () => {
  const { server, browser, code, wrongCode, verify } = await startEnrolled()
  for (let i = 1; i <= 5; i++) {
    // A new sign-in opens a new challenge, but the count continues.
    expect(await browser.signIn()).toEqual({ tag: 'AuthRequires2FA' })
    expect(await verify(await wrongCode())).toEqual(invalidCode(i === 5 ? 'Denied' : 'Pending'))
  }
  const others = [browser, server.openBrowser()]
  for (const one of others) {
    await one.signIn()
    expect(await verify(await code(), one)).toEqual(invalidCode('Denied'))
  }
  server.clock.advance(minutes(15) - 1)
  expect(await verify(await code())).toEqual(invalidCode('Denied'))
  server.clock.advance(seconds(31))
  expect((await verify(await code())).tag).toBe('AuthSuccessful')
  // A success resets the count.
  server.clock.advance(seconds(30))
  for (let i = 0; i < 4; i++) expect(await verify(await wrongCode())).toEqual(invalidCode('Pending'))
  expect((await verify(await code())).tag).toBe('AuthSuccessful')
})

test('TH-08: checks five of 100 wrong codes sent in parallel', async () => {
  const { server, wrongCode, verify } = await startEnrolled({ ...skippable, slots: 8 })
  const wrong = await wrongCode()
  const browsers = Array.from({ length: 20 }, () => server.openBrowser())
  const answers = await Promise.all(Array.from({ length: 100 }, (_, i) => verify(wrong, browsers[i % 20])))
  expect(answers.every(answer => answer.tag === 'AuthFailureFactorError')).toBe(true)
  const [row] = await server.db.selectFrom('failed_codes').selectAll().execute()
  expect(row?.failedCodeAttempts).toBe(5)
  const looked = await server.db.selectFrom('audit').selectAll().where('auditResult', '=', 'wrong-code').execute()
  expect(looked).toHaveLength(5)
})

test('TH-08: a hundred wrong codes disable the second factor until it is reset', async () => {
  const { server, browser, code, wrongCode, verify, userId } = await startEnrolled()
  await server.db
    .insertInto('failed_codes')
    .values({ failedCodeUser: userId, failedCodeAttempts: 99, failedCodePausedUntil: null, failedCodeAllowed: 1 })
    .execute()
  expect(await verify(await wrongCode())).toEqual(invalidCode('Denied'))
  server.clock.advance(days(30))
  expect(await verify(await code())).toEqual(invalidCode('Denied'))
  const { secret } = await resetFactor(server, browser)
  server.clock.advance(seconds(30))
  expect((await verify(await codeAt(secret, server.clock.at))).tag).toBe('AuthSuccessful')
})

test('TH-15: mails the owner once a day about a right password with wrong codes', async () => {
  const { server, wrongCode, verify } = await startEnrolled()
  await server.deliver()
  const told = async () =>
    (await server.deliver()).filter(mail => /password was right|right password/i.test(mail.text + mail.subject)).length
  await verify(await wrongCode())
  await verify(await wrongCode())
  expect(await told()).toBe(0)
  await verify(await wrongCode())
  expect(await told()).toBe(1)
  for (let i = 0; i < 4; i++) await verify(await wrongCode())
  expect(await told()).toBe(1)
  server.clock.advance(days(1))
  for (let i = 0; i < 3; i++) await verify(await wrongCode())
  expect(await told()).toBe(2)
})
