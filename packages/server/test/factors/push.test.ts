import { accountRoutes, administrationRoutes, approverRoutes, pushRoutes, routes } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { hours, minutes, seconds } from '../../src/limits.ts'
import { mailedLink } from '../credentials/mailed-link.ts'
import { codeAt, enroll, otpOf } from '../support/authenticator.ts'
import { ada, admin, type Browser, isSignedIn, startServer } from '../support/harness.ts'
import { differentNumber, enrollDevice, makeDevice, pushRequest, requestApproval, signInByApproval, status, subscribing } from './device.ts'
import { makeSubscription } from './push-service.ts'

const factorError = (contents: object) => ({ tag: 'AuthFailureFactorError', contents })
const noApproval = factorError({ tag: 'DatabaseError', contents: { tag: 'NoApprovedChallenges' } })
const denied = { challengeStatus: 'Denied', challengeRespondedReason: { tag: 'InvalidCode' } }
const approved = { challengeStatus: 'Approved', challengeRespondedReason: { tag: 'ReasonNone' } }

/** Ada with an authenticator and a device, and half a minute gone by. */
const startWithDevice = async (env = {}) => {
  const server = await startServer({ env: { GATEHOUSE_SECOND_FACTOR: 'skippable', ...env } })
  await server.addUser()
  const computer = server.openBrowser()
  const { secret, factorUUID } = await enroll(computer, server.clock)
  server.clock.advance(seconds(1))
  const phone = await enrollDevice(computer, server.openBrowser(), server.config.publicUrl.origin)
  const verified = await phone.verify()
  server.clock.advance(seconds(30))
  const tryCode = (browser: Browser, otpVerification: number) => browser.call(routes.verifyOTP, { ...otpOf(ada), otpVerification })
  const attempts = async () =>
    (await server.db.selectFrom('failed_codes').select('failedCodeAttempts').executeTakeFirst())?.failedCodeAttempts ?? 0
  /** How often the devices were asked. */
  const pushes = async () =>
    (await server.db.selectFrom('challenges').selectAll().where('challengeFactorType', '=', 'Push').execute()).filter(
      challenge => challenge.challengeEnrols === 0,
    ).length
  return { server, computer, secret, authenticator: factorUUID, phone, verified, tryCode, attempts, pushes }
}

test('a device is enrolled by its link and a first approval; then it signs in, once, the browser that shows the number', async () => {
  const { server, computer, phone, verified } = await startWithDevice()
  expect(verified).toEqual({ tag: 'Verified' })
  expect(phone.enrolled).toMatchObject({ username: ada.username, origin: 'http://localhost:8080', productName: 'Gatehouse' })
  const { factors } = await computer.call(accountRoutes.userAccount, {})
  expect(factors.map(factor => [factor.factorFriendlyName, factor.factorFactorType])).toEqual([
    ['Authenticator app', 'TOTP'],
    ['Phone', 'Push'],
  ])
  const browser = server.openBrowser()
  expect(await browser.signIn()).toEqual({ tag: 'AuthRequires2FA', contents: { factorTypes: ['Push', 'TOTP'] } })
  const asked = await requestApproval(browser)
  expect(await status(browser)).toEqual(['Pending', 'ReasonNone'])
  expect(await signInByApproval(browser)).toEqual(noApproval)
  const { pending } = await phone.pending()
  expect(pending).toMatchObject({ challengeUUID: asked.challengeUUID, username: ada.username, isEnrolment: false })
  expect(await phone.answer(asked.challengeUUID, 'Approve', asked.challengeNumber)).toMatchObject(approved)
  expect(await status(browser)).toEqual(['Approved', 'ReasonNone'])
  const signedIn = await signInByApproval(browser)
  if (signedIn.tag !== 'AuthSuccessful') throw new Error(signedIn.tag)
  await browser.call(routes.plowlogin, signedIn.contents)
  expect(await isSignedIn(browser)).toBe(true)
  expect(await signInByApproval(browser)).toEqual(noApproval)
  expect((await phone.pending()).pending).toBeNull()
  const sessions = await server.db.selectFrom('sessions').select('sessionFactor').execute()
  expect(sessions.map(row => row.sessionFactor)).toEqual(['Push', 'Push'])
})

test('PU-01, A39: an approval without the number, or with another, is denied and counted; the device is never told the number', async () => {
  const { server, phone, attempts } = await startWithDevice()
  const browser = server.openBrowser()
  for (const [n, number] of [undefined, 'other'].entries()) {
    server.clock.advance(minutes(10))
    const asked = await requestApproval(browser)
    expect(asked.challengeNumber).toMatch(/^\d{6}$/)
    expect(JSON.stringify(await phone.pending())).not.toContain(asked.challengeNumber)
    const typed = number && differentNumber(asked.challengeNumber)
    expect(await phone.answer(asked.challengeUUID, 'Approve', typed)).toMatchObject(denied)
    expect([await status(browser), await attempts()]).toEqual([['Denied', 'InvalidCode'], n + 1])
    // Final: the right number comes too late.
    expect(await phone.answer(asked.challengeUUID, 'Approve', asked.challengeNumber)).toMatchObject(denied)
    expect(await signInByApproval(browser)).toEqual(noApproval)
  }
  const stored = JSON.stringify(await server.db.selectFrom('audit').selectAll().execute())
  expect(stored).toContain('wrong-number')
})

test('PU-02: a challenge lives two minutes, is used once, and lets in only the browser and the ticket it was opened for', async () => {
  const { server, phone } = await startWithDevice()
  const [a, b] = [server.openBrowser(), server.openBrowser()]
  const late = await requestApproval(a)
  server.clock.advance(seconds(121))
  expect((await phone.pending()).pending).toBeNull()
  expect(await phone.answer(late.challengeUUID, 'Approve', late.challengeNumber)).toMatchObject({ challengeStatus: 'Expired' })
  expect([await status(a), await signInByApproval(a)]).toEqual([['Expired', 'ReasonNone'], noApproval])

  const asked = await requestApproval(a)
  await b.signIn()
  expect(await phone.answer(asked.challengeUUID, 'Approve', asked.challengeNumber)).toMatchObject({
    challengeStatus: 'Denied',
    challengeRespondedReason: { tag: 'NotNeeded' },
  })
  // Each of two browsers asks; the second one's challenge takes the place of the first one's.
  const good = await requestApproval(a)
  await phone.answer(good.challengeUUID, 'Approve', good.challengeNumber)
  expect((await signInByApproval(a)).tag).toBe('AuthSuccessful')
  const [first, second] = [await requestApproval(a), await requestApproval(b)]
  expect([await status(a), await status(b)]).toEqual([
    ['Denied', 'NotNeeded'],
    ['Pending', 'ReasonNone'],
  ])
  const answers = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const { userId, factorUUID, device } = phone
      return phone.send(await device.answer({ userId, factorUUID, challengeUUID: second.challengeUUID }, 'Approve', second.challengeNumber))
    }),
  )
  expect(answers.filter(answer => answer.statusCode === 200)).toHaveLength(1)
  expect(answers.filter(answer => answer.statusCode === 409)).toHaveLength(19)
  expect(await phone.answer(first.challengeUUID, 'Approve', first.challengeNumber)).toMatchObject({ challengeStatus: 'Denied' })
  expect(await signInByApproval(a)).toEqual(noApproval)
  const outcomes = await Promise.all(Array.from({ length: 10 }, () => signInByApproval(b)))
  expect(outcomes.filter(({ tag }) => tag === 'AuthSuccessful')).toHaveLength(1)
})

test('PU-02: an approval that nobody takes up is worth nothing half a minute after the challenge’s end', async () => {
  const { server, phone } = await startWithDevice()
  const browser = server.openBrowser()
  const asked = await requestApproval(browser)
  await phone.answer(asked.challengeUUID, 'Approve', asked.challengeNumber)
  server.clock.advance(seconds(150))
  expect(await signInByApproval(browser)).toEqual(noApproval)
  await server.chores.purge()
  expect(await server.db.selectFrom('push_waits').selectAll().execute()).toEqual([])
})

test('PU-03, A39: of fifty wishes three ask the device, and the answers are alike; ten at most until a second factor has passed', async () => {
  const { server, phone, pushes, tryCode, secret } = await startWithDevice()
  const browser = server.openBrowser()
  const shape = (answer: object) =>
    JSON.stringify(answer, (_, value) => (typeof value === 'string' ? value.replace(/[\da-f]/g, '0') : value))
  const shapes = new Set<string>()
  // With a ticket, which spares fifty passwords.
  await browser.call(routes.magiclinkSend, [{ email: ada.username, redirect: { tag: 'RedirectDashboard' } }])
  await browser.call(routes.magiclinkRedeem, mailedLink(await server.deliver(), 'one-time-link'))
  for (let i = 0; i < 50; i++) {
    const response = await browser.send('POST', pushRoutes.pushChallenge.path, pushRequest({ username: '', password: '' }))
    expect([response.statusCode, response.cookies.map(({ name }) => name)]).toEqual([200, expect.arrayContaining(['gatehouse-push'])])
    shapes.add(shape(response.json()))
  }
  expect([shapes.size, await pushes()]).toEqual([1, 3])
  // The one that was granted last is what the device is still asked; the browser waits for another that there is not.
  expect((await phone.pending()).pending).not.toBeNull()
  expect(await status(browser)).toEqual(['Pending', 'ReasonNone'])
  server.clock.advance(minutes(2))
  expect(await status(browser)).toEqual(['Expired', 'ReasonNone'])
  // Answered each time, so that nothing but their number is in the way.
  await tryCode(browser, await codeAt(secret, server.clock.at))
  for (let i = 0; i < 12; i++) {
    server.clock.advance(minutes(11))
    const asked = await requestApproval(browser)
    await phone.answer(asked.challengeUUID, 'Approve', asked.challengeNumber)
  }
  expect(await pushes()).toBe(13)
  expect((await tryCode(browser, await codeAt(secret, server.clock.at))).tag).toBe('AuthSuccessful')
  await requestApproval(browser)
  expect(await pushes()).toBe(14)
})

test('PU-04: nothing counts but a signature by the stored key, over what the challenge is, in the stored algorithm', async () => {
  const { server, phone, attempts } = await startWithDevice()
  const browser = server.openBrowser()
  const { challengeUUID, challengeNumber } = await requestApproval(browser)
  const { device, factorUUID, userId } = phone
  const origin = server.config.publicUrl.origin
  const right = await device.answer({ factorUUID, userId, challengeUUID }, 'Approve', challengeNumber)
  const stranger = await makeDevice(origin)
  const signed = async (...lines: string[]) => ({ ...right, signature: await device.sign(...lines) })
  const head = 'gatehouse-push-answer'
  const wrong = [
    { ...right, signature: '' },
    { ...right, signature: right.signature.slice(0, -2) },
    // Zeros for r and s (CVE-2022-21449).
    { ...right, signature: Buffer.alloc(64).toString('base64url') },
    await stranger.answer({ factorUUID, userId, challengeUUID }, 'Approve', challengeNumber),
    await signed(head, challengeUUID, differentNumber(challengeNumber), userId, origin, 'Approve'),
    await signed(head, challengeUUID, challengeNumber, 'another-user', origin, 'Approve'),
    await signed(head, challengeUUID, challengeNumber, userId, 'https://evil.example', 'Approve'),
    await signed(head, challengeUUID, challengeNumber, userId, origin, 'Deny'),
    await signed(head, factorUUID, challengeNumber, userId, origin, 'Approve'),
    await signed('gatehouse-push-hello', challengeUUID, factorUUID, origin),
  ]
  for (const answer of wrong) expect((await phone.send(answer)).statusCode).toBe(403)
  for (const alg of ['HS256', 'none', 'ES384']) expect((await phone.send({ ...right, alg } as never)).statusCode).toBe(400)
  expect([await status(browser), await attempts()]).toEqual([['Pending', 'ReasonNone'], 0])
  const refused = await server.db.selectFrom('audit').select('auditResult').where('auditEvent', '=', 'push-refused').execute()
  expect(refused).toHaveLength(wrong.length)

  // Another user's device signs for itself, not for Ada.
  await server.addUser(admin)
  const theirs = server.openBrowser()
  await enroll(theirs, server.clock, admin)
  const mallory = await enrollDevice(theirs, server.openBrowser(), origin, { user: admin })
  await mallory.verify()
  expect(await mallory.answer(challengeUUID, 'Approve', challengeNumber)).toEqual({ error: expect.stringContaining('is unknown') })

  // A nonce is ours, and two minutes old at most.
  const proof = await phone.prove(approverRoutes.pending.path)
  const pending = (body: object) => phone.phone.send('POST', approverRoutes.pending.path, body)
  for (const nonce of ['', 'made-up', `${proof.nonce}x`])
    expect((await pending(await device.prove(factorUUID, nonce, approverRoutes.pending.path))).statusCode).toBe(403)
  expect((await pending({ ...proof, factorUUID: mallory.factorUUID })).statusCode).toBe(403)
  const late = await phone.prove(approverRoutes.pending.path)
  server.clock.advance(minutes(1))
  expect((await pending(proof)).statusCode).toBe(200)
  server.clock.advance(minutes(1))
  expect((await pending(late)).statusCode).toBe(403)
})

test('PU-06: a proof is good for the one call and the one body that it was made for', async () => {
  const { server, phone } = await startWithDevice({ GATEHOUSE_PUSH_PRIVATE: 'on' })
  const { subscription: own } = makeSubscription('https://127.0.0.1:9/send/own')
  const { subscription: theirs } = makeSubscription('https://127.0.0.1:9/send/theirs')
  expect(await phone.subscribe(own)).toBe(200)
  const { pending, subscribe, leave } = approverRoutes
  const bodies = [
    { path: pending.path, said: '', body: {} },
    { path: leave.path, said: '', body: {} },
    { path: subscribe.path, said: subscribing(own), body: { subscription: own } },
    { path: subscribe.path, said: subscribing(theirs), body: { subscription: theirs } },
    { path: subscribe.path, said: subscribing(null), body: { subscription: null } },
    { path: subscribe.path, said: subscribing(null), body: {} },
  ]
  const endpoints = () => server.db.selectFrom('push_subscriptions').select('pushSubscriptionEndpoint').execute()
  for (const made of bodies) {
    for (const sent of bodies) {
      if (made.path === sent.path && made.said === sent.said) continue
      const proof = await phone.prove(made.path, made.said)
      const { statusCode } = await phone.phone.send('POST', sent.path, { ...proof, ...sent.body })
      expect([made, sent.path, sent.said, statusCode]).toEqual([made, sent.path, sent.said, 403])
    }
  }
  // The same text cut in another place is another subscription.
  const cut = { endpoint: own.endpoint, keys: { p256dh: `${own.keys.p256dh}${own.keys.auth.slice(0, 1)}`, auth: own.keys.auth.slice(1) } }
  const proof = await phone.prove(subscribe.path, subscribing(own))
  expect((await phone.phone.send('POST', subscribe.path, { ...proof, subscription: cut })).statusCode).not.toBe(200)
  expect(await endpoints()).toEqual([{ pushSubscriptionEndpoint: own.endpoint }])
  expect((await phone.pending()).verified).toBe(true)
})

test('PU-06: a proof works once, also for twenty calls at the same moment, and a used nonce for no other call', async () => {
  const { server, phone, computer } = await startWithDevice()
  const { pending, leave } = approverRoutes
  const status = async (path: string, body: object) => (await server.openBrowser().send('POST', path, body)).statusCode
  const proof = await phone.prove(pending.path)
  expect(await status(pending.path, proof)).toBe(200)
  expect(await status(pending.path, proof)).toBe(403)
  const raced = await phone.prove(pending.path)
  const statuses = await Promise.all(Array.from({ length: 20 }, () => status(pending.path, raced)))
  expect(statuses.toSorted()).toEqual([200, ...Array<number>(19).fill(403)])
  expect(await status(leave.path, await phone.device.prove(phone.factorUUID, raced.nonce, leave.path))).toBe(403)
  // A signature that is wrong uses no nonce up, or a stranger could.
  const spared = await phone.prove(pending.path)
  expect(await status(pending.path, { ...spared, signature: raced.signature })).toBe(403)
  expect(await status(pending.path, spared)).toBe(200)
  // Replays are written down for administrators, and are no activity of the owner's.
  const refused = await server.db.selectFrom('audit').select('auditResult').where('auditEvent', '=', 'push-refused').execute()
  expect(refused.map(row => row.auditResult).toSorted()).toEqual(
    ['replayed', ...Array<string>(20).fill('replayed'), 'signature'].toSorted(),
  )
  expect((await computer.call(accountRoutes.userAccount, {})).activity.rows.map(({ kind }) => kind)).not.toContain('Other')
  // A nonce is remembered for as long as it is good.
  server.clock.advance(minutes(2) - 1)
  await server.chores.purge()
  expect((await server.db.selectFrom('push_nonces').select('pushNonceHash').execute()).length).toBeGreaterThan(2)
  server.clock.advance(1)
  await server.chores.purge()
  expect(await server.db.selectFrom('push_nonces').select('pushNonceHash').execute()).toEqual([])
})

test('PU-06: an approver that was open before the upgrade still sees what it is asked, once for each nonce, and changes nothing', async () => {
  const { server, phone } = await startWithDevice()
  const { pending, subscribe, leave } = approverRoutes
  const asked = await requestApproval(server.openBrowser())
  const hello = async () => phone.device.hello(phone.factorUUID, await phone.nonce())
  const read = await hello()
  const sent = async (path: string, body: object) => phone.phone.send('POST', path, body)
  expect((await sent(pending.path, read)).json().pending).toMatchObject({ challengeUUID: asked.challengeUUID })
  expect((await sent(pending.path, read)).statusCode).toBe(403)
  expect((await sent(leave.path, await hello())).statusCode).toBe(403)
  for (const subscription of [null, makeSubscription('https://push.example/theirs').subscription])
    expect((await sent(subscribe.path, { ...(await hello()), subscription })).statusCode).toBe(403)
  expect(await phone.answer(asked.challengeUUID, 'Approve', asked.challengeNumber)).toMatchObject(approved)
})

test('PU-05: three wrong codes and two wrong numbers pause both kinds, for the right ones as well', async () => {
  const { server, phone, secret, tryCode } = await startWithDevice()
  const browser = server.openBrowser()
  const code = await codeAt(secret, server.clock.at)
  for (let i = 0; i < 3; i++) await tryCode(browser, (code + 1) % 1_000_000)
  for (let i = 0; i < 2; i++) {
    const asked = await requestApproval(browser)
    expect(await phone.answer(asked.challengeUUID, 'Approve', differentNumber(asked.challengeNumber))).toMatchObject(denied)
  }
  expect(await tryCode(browser, code)).toMatchObject(factorError({ contents: { status: 'Denied' } }))
  // No device is asked meanwhile, and the answer is the same.
  await requestApproval(browser)
  expect((await phone.pending()).pending).toBeNull()
  server.clock.advance(minutes(15))
  const asked = await requestApproval(browser)
  await phone.answer(asked.challengeUUID, 'Approve', asked.challengeNumber)
  expect((await signInByApproval(browser)).tag).toBe('AuthSuccessful')
})

test('PU-05: an approval that came just before the pause opens nothing during it', async () => {
  const { server, phone, secret, tryCode } = await startWithDevice()
  const browser = server.openBrowser()
  const asked = await requestApproval(browser)
  await phone.answer(asked.challengeUUID, 'Approve', asked.challengeNumber)
  const wrong = ((await codeAt(secret, server.clock.at)) + 1) % 1_000_000
  for (let i = 0; i < 5; i++) await tryCode(server.openBrowser(), wrong)
  expect(await signInByApproval(browser)).toEqual(noApproval)
})

test('A39: after two times ‘this was not me’ devices are left in peace; owner and administrators are told once; a code lifts it', async () => {
  const { server, phone, pushes, tryCode, secret } = await startWithDevice({ GATEHOUSE_ADMINS: admin.username })
  const browser = server.openBrowser()
  const before = (await server.deliver()).length
  for (let i = 0; i < 4; i++) {
    const asked = await requestApproval(browser)
    const answer = await phone.answer(asked.challengeUUID, 'Deny')
    if (i < 2) expect(answer).toMatchObject({ challengeStatus: 'Denied', challengeRespondedReason: { tag: 'NotRequested' } })
    server.clock.advance(minutes(11))
  }
  expect(await pushes()).toBe(2)
  const mails = (await server.deliver()).slice(0, -before)
  expect(mails.map(mail => [mail.to, mail.subject]).sort()).toEqual([
    [ada.username, 'Phone approvals are paused · Gatehouse'],
    [admin.username, `Phone approvals are paused: ${ada.username} · Gatehouse`],
  ])
  expect((await tryCode(browser, await codeAt(secret, server.clock.at))).tag).toBe('AuthSuccessful')
  await requestApproval(browser)
  expect(await pushes()).toBe(3)
})

test('A39: three that nobody answers pause devices for a day, and that is told once', async () => {
  const { server, pushes } = await startWithDevice()
  const browser = server.openBrowser()
  const before = (await server.deliver()).length
  for (let i = 0; i < 5; i++) {
    await requestApproval(browser)
    server.clock.advance(minutes(11))
    await server.chores.tellOfUnanswered()
  }
  expect(await pushes()).toBe(3)
  const subjects = (await server.deliver()).slice(0, -before).map(mail => mail.subject)
  expect(subjects.filter(subject => subject.startsWith('Phone approvals are paused ·'))).toHaveLength(1)
  server.clock.advance(hours(24))
  await requestApproval(browser)
  expect(await pushes()).toBe(4)
})

test('a code that is typed meanwhile takes the place of the device, and so does a recovery code', async () => {
  const { server, phone, secret, tryCode, computer } = await startWithDevice()
  const browser = server.openBrowser()
  const first = await requestApproval(browser)
  await tryCode(browser, ((await codeAt(secret, server.clock.at)) + 1) % 1_000_000)
  expect(await status(browser)).toEqual(['Denied', 'NotNeeded'])
  expect(await phone.answer(first.challengeUUID, 'Approve', first.challengeNumber)).toMatchObject({ challengeStatus: 'Denied' })
  await requestApproval(browser)
  const { recoveryCodes } = await computer.call(accountRoutes.userRecoveryCodes, {})
  expect((await browser.call(routes.recoveryCode, { ...otpOf(ada), otpRecoveryCode: recoveryCodes[0] ?? '' })).tag).toBe('AuthSuccessful')
  expect((await phone.pending()).pending).toBeNull()
})

test('after a one-time link a device approves in the place of a code, and the ticket is used up; a locked password asks none', async () => {
  const { server, phone, pushes } = await startWithDevice()
  const visitor = server.openBrowser()
  await visitor.call(routes.magiclinkSend, [{ email: ada.username, redirect: { tag: 'RedirectDashboard' } }])
  const outcome = await visitor.call(routes.magiclinkRedeem, mailedLink(await server.deliver(), 'one-time-link'))
  expect(outcome).toEqual({ tag: 'AuthRequires2FA', contents: { factorTypes: ['Push', 'TOTP'] } })
  const nobody = { username: '', password: '' }
  const asked = await requestApproval(visitor, nobody)
  await phone.answer(asked.challengeUUID, 'Approve', asked.challengeNumber)
  // Another ticket does not do, in another browser or in the same.
  const ticket = visitor.jar.get('gatehouse-ticket') ?? ''
  server.clock.advance(seconds(1))
  await visitor.call(routes.magiclinkSend, [{ email: ada.username, redirect: { tag: 'RedirectDashboard' } }])
  expect((await visitor.call(routes.magiclinkRedeem, mailedLink(await server.deliver(), 'one-time-link'))).tag).toBe('AuthRequires2FA')
  expect(await signInByApproval(visitor, nobody)).toEqual(noApproval)
  visitor.jar.set('gatehouse-ticket', ticket)
  expect(await signInByApproval(server.openBrowser(), nobody)).toEqual({ tag: 'AuthFailureFailedLogin' })
  expect((await signInByApproval(visitor, nobody)).tag).toBe('AuthSuccessful')
  expect(visitor.jar.has('gatehouse-ticket')).toBe(false)
  expect(await visitor.call(pushRoutes.pushChallenge, pushRequest(nobody))).toEqual({ tag: 'AuthFailureFailedLogin' })

  const stranger = server.openBrowser()
  for (let i = 0; i < 11; i++) await stranger.signIn({ ...ada, password: 'wrong password wrong' })
  expect(await stranger.call(pushRoutes.pushChallenge, pushRequest())).toEqual({ tag: 'AuthFailureFailedLogin' })
  expect(await pushes()).toBe(1)
})

test('a code is not for a device: the mismatch is named with its three values, and the wrong type where there are devices alone', async () => {
  const { server, computer, phone, authenticator, attempts } = await startWithDevice()
  const contents = [phone.factorUUID, 'Push', 'TOTP']
  const mismatch = { tag: 'DatabaseError', contents: { tag: 'FactorTypeMismatch', contents } }
  const otp = { ...otpOf(ada), otpVerification: 123_456 }
  expect(await server.openBrowser().call(routes.verifyOTP, { ...otp, otpFactorUUID: phone.factorUUID })).toEqual(factorError(mismatch))
  const response = await computer.send('POST', accountRoutes.userFactorVerify.path, {
    verifyTOTPFactorRequestFactorUUID: phone.factorUUID,
    verifyTOTPFactorRequestCode: 123_456,
  })
  expect([response.statusCode, response.json()]).toEqual([409, { 'typed-error': mismatch }])

  await computer.call(accountRoutes.userFactorRemove, { factorUUID: authenticator })
  const browser = server.openBrowser()
  expect(await browser.signIn()).toEqual({ tag: 'AuthRequires2FA', contents: { factorTypes: ['Push'] } })
  expect(await browser.call(routes.verifyOTP, otp)).toEqual(
    factorError({ tag: 'TOTPError', contents: { status: 'Denied', reason: { tag: 'WrongFactorType', contents: 'Push' } } }),
  )
  expect(await attempts()).toBe(0)
  const asked = await requestApproval(browser)
  await phone.answer(asked.challengeUUID, 'Approve', asked.challengeNumber)
  expect((await signInByApproval(browser)).tag).toBe('AuthSuccessful')
})

test('somebody without a device asks none, and who has to choose a new password is told that first', async () => {
  const { server } = await startWithDevice()
  await server.addUser(admin)
  const browser = server.openBrowser()
  expect(await browser.call(pushRoutes.pushChallenge, pushRequest(admin))).toEqual(
    factorError({ tag: 'DatabaseError', contents: { tag: 'NoVerifiedFactors' } }),
  )
  expect((await browser.send('POST', pushRoutes.pushStatus.path, {})).statusCode).toBe(410)
  await server.db.updateTable('users').set({ userForcedReset: 1 }).where('userIdent', '=', ada.username).execute()
  expect(await browser.call(pushRoutes.pushChallenge, pushRequest())).toEqual({ tag: 'AuthFailureForcedReset' })
})

test('of two devices either answers; one that is taken away is told so, and what waited for it waits in vain', async () => {
  const { server, computer, phone } = await startWithDevice()
  await server.addUser(admin)
  const tablet = await enrollDevice(computer, server.openBrowser(), server.config.publicUrl.origin, { name: 'Tablet' })
  await tablet.verify()
  const browser = server.openBrowser()
  const first = await requestApproval(browser)
  expect([(await phone.pending()).pending, (await tablet.pending()).pending]).toEqual([
    expect.objectContaining({ challengeUUID: first.challengeUUID }),
    expect.objectContaining({ challengeUUID: first.challengeUUID }),
  ])
  await tablet.answer(first.challengeUUID, 'Approve', first.challengeNumber)
  expect((await phone.pending()).pending).toBeNull()
  expect((await signInByApproval(browser)).tag).toBe('AuthSuccessful')

  const second = await requestApproval(browser)
  const administrator = server.openBrowser()
  await enroll(administrator, server.clock, admin)
  const detail = await administrator.call(administrationRoutes.user, { userId: phone.userId })
  expect(detail.factors.map(factor => factor.factorFactorType)).toEqual(['TOTP', 'Push', 'Push'])
  await administrator.call(administrationRoutes.removeFactor, { userId: phone.userId, factorUUID: phone.factorUUID })
  await expect(phone.pending()).rejects.toThrow('410')
  const late = await phone.device.answer({ ...phone, challengeUUID: second.challengeUUID }, 'Approve', second.challengeNumber)
  expect((await phone.send(late)).statusCode).toBe(410)
  expect(await signInByApproval(browser)).toEqual(noApproval)
})
