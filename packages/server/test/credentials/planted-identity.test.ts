import { type AuthOutcome, accountRoutes, administrationRoutes, pushRoutes, routes } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { minutes, seconds } from '../../src/limits.ts'
import { enrollDevice } from '../factors/device.ts'
import { adaAtProvider, finishSignIn, linkIdentity, signInAtProvider } from '../sso/sso-sign-in.ts'
import { addAuthenticator, codeAt, enroll, offered, otpOf, secretOf } from '../support/authenticator.ts'
import { ada, admin, type Browser } from '../support/harness.ts'
import { resetFactor } from '../support/second-factor-users.ts'
import { codeByTicket, mailed, openOneTimeLink, recoveryCodeByTicket, resetByMail } from './mailed-password.ts'
import { byTicket, enters, enterWithCode, mallory, plant, type Started, skip, startTrusting } from './planting-attacker.ts'

/** Each way in which the attacker links the identity. @returns the first factor that the server then offers to the owner */
test.each<[string, (started: Started, owner: Browser) => Promise<AuthOutcome>]>([
  [
    'with a mailed password',
    async (started, owner) => {
      await resetByMail(started.server)
      await plant(started, mailed)
      return openOneTimeLink(started.server, owner)
    },
  ],
  [
    'with a stolen password',
    async (started, owner) => {
      await plant(started)
      return openOneTimeLink(started.server, owner)
    },
  ],
  [
    'with a one-time link, to an account without a password',
    async ({ idp, server }, owner) => {
      await server.db.updateTable('users').set({ userPassword: null }).execute()
      await openOneTimeLink(server, owner)
      const attacker = server.openBrowser()
      const { factorUUID } = offered(await openOneTimeLink(server, attacker))
      const skipped = await attacker.call(routes.setupOTP, { ...byTicket, otpFactorUUID: factorUUID, otpVerification: null })
      if (skipped.tag === 'AuthSuccessful') await attacker.call(routes.plowlogin, skipped.contents)
      expect((await linkIdentity(attacker, idp, mallory.sub, '')).headers.location).toBe('/account')
      return owner.call(routes.continueSignIn, {})
    },
  ],
])('MF-12, OI-06: an identity that an attacker linked %s does not stand in for a second factor set up later', async (_, prepare) => {
  const started = await startTrusting()
  const { server } = started
  await server.addUser()
  const owner = server.openBrowser()
  const factor = offered(await prepare(started, owner))
  const otpVerification = await codeAt(secretOf(factor), server.clock.at)
  const enrolled = await owner.call(routes.setupOTP, { ...byTicket, otpFactorUUID: factor.factorUUID, otpVerification })
  expect(enrolled.tag).toBe('AuthSuccessful')
  // Mallory’s identity still signs in, but the server now asks for Ada’s second factor.
  expect(await enters(started, mallory.sub)).toBe(false)
})

test('MF-12: removing the factor that vouched for an identity ends the vouch', async () => {
  const started = await startTrusting()
  const { idp, server } = started
  await server.addUser()
  await resetByMail(server)
  const attacker = server.openBrowser()
  const { factorUUID } = await enroll(attacker, server.clock, mailed)
  await linkIdentity(attacker, idp, mallory.sub, mailed.password)
  expect(await enters(started, mallory.sub)).toBe(true)
  await attacker.call(accountRoutes.userFactorRemove, { factorUUID })
  await resetByMail(server, ada.password)
  await enroll(server.openBrowser(), server.clock)
  expect(await enters(started, mallory.sub)).toBe(false)
})

test('MF-12: an administrator or a phone that removes the last factor ends the vouch for an identity', async () => {
  const started = await startTrusting({ GATEHOUSE_ADMINS: admin.username })
  const { idp, server } = started
  const userId = await server.addUser()
  await server.addUser(admin)
  const administrator = server.openBrowser()
  await enroll(administrator, server.clock, admin)
  const owner = server.openBrowser()
  const first = await enroll(owner, server.clock)
  await linkIdentity(owner, idp)
  expect(await enters(started, adaAtProvider.sub)).toBe(true)
  await administrator.call(administrationRoutes.removeFactor, { userId, factorUUID: first.factorUUID })
  server.clock.advance(seconds(30))
  const second = await enroll(owner, server.clock)
  server.clock.advance(seconds(30))
  expect(await enters(started, adaAtProvider.sub)).toBe(false)
  expect(await enterWithCode(started, adaAtProvider.sub, second.secret)).toBe('AuthSuccessful')
  expect(await enters(started, adaAtProvider.sub)).toBe(true)

  const phone = await enrollDevice(owner, server.openBrowser(), 'http://localhost:8080')
  await phone.verify()
  await owner.call(accountRoutes.userFactorRemove, { factorUUID: second.factorUUID })
  expect(await enters(started, adaAtProvider.sub)).toBe(true)
  await phone.leave()
  server.clock.advance(seconds(30))
  await enroll(server.openBrowser(), server.clock)
  expect(await enters(started, adaAtProvider.sub)).toBe(false)
})

test('MF-12: replacing by email the factor that vouched for an identity ends the vouch', async () => {
  const started = await startTrusting()
  const { idp, server } = started
  await server.addUser()
  const owner = server.openBrowser()
  await enroll(owner, server.clock)
  await linkIdentity(owner, idp)
  expect(await enters(started, adaAtProvider.sub)).toBe(true)
  const { secret } = await resetFactor(server, server.openBrowser())
  server.clock.advance(seconds(30))
  expect(await enters(started, adaAtProvider.sub)).toBe(false)
  expect(await enterWithCode(started, adaAtProvider.sub, secret)).toBe('AuthSuccessful')
  expect(await enters(started, adaAtProvider.sub)).toBe(true)
})

const startUnvouched = async () => {
  const started = await startTrusting()
  const { idp, server } = started
  await server.addUser()
  const before = server.openBrowser()
  await skip(before)
  await linkIdentity(before, idp)
  const owner = server.openBrowser()
  const { secret } = await enroll(owner, server.clock)
  server.clock.advance(seconds(30))
  expect(await enters(started, adaAtProvider.sub)).toBe(false)
  const asks = server.openBrowser()
  await signInAtProvider(asks, idp)
  return { started, server, owner, asks, secret }
}

test('MF-12, OI-06: a sign-in with an identity and a code vouches for the identity', async () => {
  const { started, server, asks, secret } = await startUnvouched()
  expect((await codeByTicket(asks, await codeAt(secret, server.clock.at))).tag).toBe('AuthSuccessful')
  expect(await enters(started, adaAtProvider.sub)).toBe(true)
})

test('MF-12, OI-06: a sign-in with an identity and a recovery code vouches for the identity', async () => {
  const { started, owner, asks } = await startUnvouched()
  const [code = ''] = (await owner.call(accountRoutes.userRecoveryCodes, {})).recoveryCodes
  expect((await recoveryCodeByTicket(asks, code)).tag).toBe('AuthSuccessful')
  expect(await enters(started, adaAtProvider.sub)).toBe(true)
})

test('MF-12, OI-06: a sign-in with an identity and an approval on a phone vouches for the identity', async () => {
  const { started, server, owner } = await startUnvouched()
  const phone = await enrollDevice(owner, server.openBrowser(), 'http://localhost:8080')
  await phone.verify()
  const asks = server.openBrowser()
  await signInAtProvider(asks, started.idp)
  const asked = await asks.call(pushRoutes.pushChallenge, byTicket)
  if (asked.tag !== 'PushChallengeOpened') throw new Error(asked.tag)
  await phone.answer(asked.contents.challengeUUID, 'Approve', asked.contents.challengeNumber)
  expect((await asks.call(routes.verifyOTP, byTicket)).tag).toBe('AuthSuccessful')
  expect(await enters(started, adaAtProvider.sub)).toBe(true)
})

test('MF-12: a wrong code does not vouch for an identity, and neither does a code after a password or a one-time link', async () => {
  const { started, server, asks, secret } = await startUnvouched()
  const near = await Promise.all([-1, 0, 1].map(step => codeAt(secret, server.clock.at + step * seconds(30))))
  const wrong = [111_111, 222_222, 333_333, 444_444].find(code => !near.includes(code)) ?? 555_555
  expect((await codeByTicket(asks, wrong)).tag).toBe('AuthFailureFactorError')
  const typed = { ...otpOf(ada), otpVerification: await codeAt(secret, server.clock.at) }
  // The browser still has the provider's ticket, but the password identified the user.
  expect((await asks.call(routes.verifyOTP, typed)).tag).toBe('AuthSuccessful')
  server.clock.advance(seconds(30))
  const linked = server.openBrowser()
  await openOneTimeLink(server, linked)
  expect((await codeByTicket(linked, await codeAt(secret, server.clock.at))).tag).toBe('AuthSuccessful')
  expect(await enters(started, adaAtProvider.sub)).toBe(false)
})

test('MF-12: an identity that an older server links in place of another does not inherit the other’s vouch', async () => {
  const started = await startTrusting()
  const { idp, server } = started
  await server.addUser()
  const owner = server.openBrowser()
  await enroll(owner, server.clock)
  await linkIdentity(owner, idp)
  expect(await enters(started, adaAtProvider.sub)).toBe(true)
  // A server of the previous version sets only this column, and leaves the vouch in another one.
  await server.db
    .updateTable('users')
    .set({ userGoogleId: `${idp.issuer} ${mallory.sub}` })
    .execute()
  expect(await enters(started, mallory.sub)).toBe(false)
})

test.each(['required', 'skippable', 'off'])(
  'OI-06: without a second factor of their own, a user signs in with the provider’s alone, policy %s',
  async policy => {
    const started = await startTrusting({ GATEHOUSE_SECOND_FACTOR: policy, GATEHOUSE_SSO_PROVISION: 'on' })
    expect(await enters(started, adaAtProvider.sub)).toBe(true)
    await started.server.db.updateTable('users').set({ userGoogleVouched: null }).execute()
    expect(await enters(started, adaAtProvider.sub)).toBe(true)
  },
)

test('OI-06: an identity for which single sign-on created the account is vouched for from the start', async () => {
  const started = await startTrusting({ GATEHOUSE_SSO_PROVISION: 'on' })
  const { idp, server } = started
  const owner = server.openBrowser()
  await finishSignIn(owner, await signInAtProvider(owner, idp))
  await addAuthenticator(owner, server.clock)
  server.clock.advance(seconds(30))
  server.clock.advance(minutes(20))
  expect(await enters(started, adaAtProvider.sub)).toBe(true)
})
