import { accountRoutes, administrationRoutes, pushRoutes, routes } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { minutes, seconds } from '../../src/limits.ts'
import { enrollDevice, pushRequest } from '../factors/device.ts'
import { adaAtProvider, finishSignIn, linkIdentity, signInAtProvider, startWithProvider } from '../sso/sso-sign-in.ts'
import { addAuthenticator, codeAt, enroll, offered, secretOf } from '../support/authenticator.ts'
import { ada, admin, type Browser, type startServer } from '../support/harness.ts'
import { otp, startEnrolled, startWithAda } from '../support/second-factor-users.ts'
import { mailed, openOneTimeLink, resetByMail, resetSendsLink } from './mailed-password.ts'

// An attacker prepares a credential while the account has no second factor, or while its owner waits for an approval, and uses it later.

type Server = Awaited<ReturnType<typeof startServer>>
type Way = (server: Server, attacker: Browser, factorUUID: string) => Promise<void>
const byTicket = { otpUsername: '', otpPassword: '' }

const setUpByLink = async (server: Server, browser: Browser) => {
  const factor = offered(await openOneTimeLink(server, browser))
  const otpVerification = await codeAt(secretOf(factor), server.clock.at)
  const outcome = await browser.call(routes.setupOTP, { ...byTicket, otpFactorUUID: factor.factorUUID, otpVerification })
  expect(outcome.tag).toBe('AuthSuccessful')
}

const openAdministration = async (server: Server) => {
  await server.addUser(admin)
  const administrator = server.openBrowser()
  await enroll(administrator, server.clock, admin)
  return administrator
}

const createPassword = (browser: Browser) =>
  browser.send('POST', accountRoutes.userPasswordCreate.path, {
    useridentity: ada.username,
    newpassword: mailed.password,
    newpasswordverification: mailed.password,
  })

test.each<[string, Way]>([
  [
    'removed by the attacker',
    async (_, attacker, factorUUID) => {
      await attacker.call(accountRoutes.userFactorRemove, { factorUUID })
    },
  ],
  [
    'removed by an administrator',
    async (server, _, factorUUID) => {
      const administrator = await openAdministration(server)
      const { userId } = await server.db
        .selectFrom('users')
        .select('userId')
        .where('userIdent', '=', ada.username)
        .executeTakeFirstOrThrow()
      await administrator.call(administrationRoutes.removeFactor, { userId, factorUUID })
    },
  ],
])('MF-10, MF-11: sends no factor reset link for a mailed password after the factor that vouched for it was %s', async (_, remove) => {
  const { server } = await startWithAda({ env: { GATEHOUSE_SECOND_FACTOR: 'skippable', GATEHOUSE_ADMINS: admin.username } })
  await resetByMail(server)
  const attacker = server.openBrowser()
  const { factorUUID } = await enroll(attacker, server.clock, mailed)
  await remove(server, attacker, factorUUID)
  await setUpByLink(server, server.openBrowser())
  server.clock.advance(minutes(16))
  expect(await resetSendsLink(server)).toBe(false)
})

test('MF-10, MF-11: treats the password as mailed once a phone that is the last factor removes itself', async () => {
  const { server, browser, factorUUID } = await startEnrolled()
  const phone = await enrollDevice(browser, server.openBrowser(), 'http://localhost:8080')
  await phone.verify()
  await browser.call(accountRoutes.userFactorRemove, { factorUUID })
  const byMail = () => server.db.selectFrom('users').select('userPasswordByMail').executeTakeFirstOrThrow()
  expect(await byMail()).toEqual({ userPasswordByMail: 0 })
  await phone.leave()
  expect(await byMail()).toEqual({ userPasswordByMail: 1 })
})

test.each(['before', 'after'])(
  'MF-10: sends no factor reset link for a password that its creator made %s removing their own factor',
  async when => {
    const { idp, server } = await startWithProvider({ env: { GATEHOUSE_SECOND_FACTOR: 'off', GATEHOUSE_SSO_PROVISION: 'on' } })
    const attacker = server.openBrowser()
    await finishSignIn(attacker, await signInAtProvider(attacker, idp))
    const { factorUUID } = await addAuthenticator(attacker, server.clock)
    if (when === 'before') expect((await createPassword(attacker)).statusCode).toBe(200)
    await attacker.call(accountRoutes.userFactorRemove, { factorUUID })
    if (when === 'after') expect((await createPassword(attacker)).statusCode).toBe(200)
    server.clock.advance(minutes(20))
    const owner = server.openBrowser()
    await finishSignIn(owner, await signInAtProvider(owner, idp))
    await addAuthenticator(owner, server.clock)
    server.clock.advance(minutes(1))
    expect(await resetSendsLink(server)).toBe(false)
  },
)

test('MF-10: sends a factor reset link to an owner who removed the last factor and set up another at the next sign-in by password', async () => {
  const { server, browser, factorUUID } = await startEnrolled()
  await browser.call(accountRoutes.userFactorRemove, { factorUUID })
  server.clock.advance(seconds(30))
  await enroll(server.openBrowser(), server.clock)
  expect(await resetSendsLink(server, ada)).toBe(true)
})

test.each(['skippable', 'required', 'off'])(
  'AZ-03, MF-11: does not let administrators remove their own factor on the administration page, policy %s',
  async policy => {
    const env = { GATEHOUSE_SECOND_FACTOR: policy, GATEHOUSE_SSO_TRUSTED: 'google', GATEHOUSE_ADMINS: ada.username }
    const { idp, server } = await startWithProvider({ env })
    const userId = await server.addUser()
    const owner = server.openBrowser()
    if (policy === 'off') await owner.enter()
    const { factorUUID } = await (policy === 'off' ? addAuthenticator : enroll)(owner, server.clock)
    await linkIdentity(owner, idp)
    idp.users.set(adaAtProvider.sub, { ...adaAtProvider, amr: ['mfa'] })
    const attacker = server.openBrowser()
    await finishSignIn(attacker, await signInAtProvider(attacker, idp))
    const answer = await attacker.send('POST', administrationRoutes.removeFactor.path, { userId, factorUUID })
    expect([answer.statusCode, answer.json()]).toEqual([
      409,
      expect.objectContaining({ error: 'userId: administrators cannot do this to their own account' }),
    ])
    expect(await server.db.selectFrom('factors').select('factorUUID').where('factorStatus', '=', 'Verified').execute()).toEqual([
      { factorUUID },
    ])
  },
)

test.each<[string, (server: Server, owner: Browser, administrator: Browser, userId: string) => Promise<string>]>([
  [
    'a password reset by mail',
    async server => {
      await resetByMail(server)
      return mailed.password
    },
  ],
  [
    'a forced reset and a password reset by mail',
    async (server, _, administrator, userId) => {
      await administrator.call(administrationRoutes.forceReset, { userId })
      await resetByMail(server)
      return mailed.password
    },
  ],
  [
    'a password change',
    async (_, owner) => {
      const newpassword = 'a changed password of ada'
      const change = { useridentity: ada.username, oldpassword: ada.password, newpassword, newpasswordverification: newpassword }
      expect((await owner.send('POST', accountRoutes.userPasswordUpdate.path, change)).statusCode).toBe(200)
      return newpassword
    },
  ],
  [
    'the end of all other sessions',
    async (_, owner) => {
      await owner.call(accountRoutes.userSessionEndOthers, {})
      return ada.password
    },
  ],
  [
    'a sign-out by an administrator',
    async (_server, _owner, administrator, userId) => {
      await administrator.call(administrationRoutes.endSessions, { userId })
      return ada.password
    },
  ],
])('MF-08, EM-10: invalidates an approval on the phone after %s', async (_, end) => {
  const {
    server,
    browser: owner,
    userId,
  } = await startEnrolled({ env: { GATEHOUSE_SECOND_FACTOR: 'skippable', GATEHOUSE_ADMINS: admin.username } })
  const administrator = await openAdministration(server)
  const phone = await enrollDevice(owner, server.openBrowser(), 'http://localhost:8080')
  await phone.verify()
  const waiting = server.openBrowser()
  const asked = await waiting.call(pushRoutes.pushChallenge, pushRequest())
  if (asked.tag !== 'PushChallengeOpened') throw new Error(asked.tag)
  await phone.answer(asked.contents.challengeUUID, 'Approve', asked.contents.challengeNumber)
  const otpPassword = await end(server, owner, administrator, userId)
  expect((await waiting.call(routes.verifyOTP, { ...otp, otpPassword })).tag).not.toBe('AuthSuccessful')
})
