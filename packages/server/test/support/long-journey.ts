import { accountRoutes, pages, routes } from '@gatehouse/wire'
import { minutes, seconds } from '../../src/limits.ts'
import { mailedLink } from '../credentials/mailed-link.ts'
import { codeAt, enroll, offered, otpOf, secretOf } from './authenticator.ts'
import { ada, type Browser, startServer } from './harness.ts'

const passwords = ['a second long password', 'a third long password', 'wrong password wrong', 'an invited password']
const magicLink = [{ email: ada.username, redirect: { tag: 'RedirectDashboard' } }]

/**
 * Performs the actions of an account with a password, an authenticator and mail links, and some of an administrator. Collects the mails
 * of each step with their recipients, and every secret created on the way.
 */
export const makeLongJourney = async () => {
  const admin = { username: 'admin@example.com', password: 'another long password' }
  const server = await startServer({ env: { GATEHOUSE_SECOND_FACTOR: 'skippable' } })
  await server.addUser()
  await server.addUser(admin)
  const start = server.clock.at
  const secrets = new Set([ada.password, admin.password, ...passwords])
  const selectors = new Set<string>()
  const steps: [string, ...string[]][] = []
  let seen = new Set<string>()
  let mails: Awaited<ReturnType<typeof server.deliver>> = []

  const browsers: Browser[] = []
  const open = () => {
    const browser = server.openBrowser({ address: `198.51.100.${browsers.length + 1}` })
    browsers.push(browser)
    return browser
  }
  /** Performs a step and records its mails. Then advances the clock by 30 seconds, so the authenticator shows a new code. */
  const step = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
    const done = await work()
    mails = await server.deliver()
    const fresh = mails.filter(mail => !seen.has(mail.id))
    seen = new Set(mails.map(mail => mail.id))
    steps.push([what, ...fresh.map(mail => `${mail.to}: ${mail.text.split('\n')[0]}`).sort()])
    for (const browser of browsers) {
      for (const [name, cookie] of browser.jar) {
        // This cookie is a marker and contains no secret.
        if (name === 'gatehouse-signed-in') continue
        const [selector = '', secret] = cookie.split('.')
        secrets.add(secret ?? selector)
        if (secret) selectors.add(selector)
      }
    }
    server.clock.advance(seconds(30))
    return done
  }
  const link = (page: Parameters<typeof mailedLink>[1], to: string = ada.username) => {
    const claim = mailedLink(mails, page, to)
    secrets.add(claim.token)
    selectors.add(claim.selector)
    return claim
  }
  const enter = async (browser: Browser, outcome: Awaited<ReturnType<Browser['signIn']>>) => {
    if (outcome.tag !== 'AuthSuccessful') throw new Error(outcome.tag)
    secrets.add(outcome.contents.authTokenToken)
    selectors.add(outcome.contents.authTokenSelector)
    await browser.call(routes.plowlogin, outcome.contents)
    // Open the token page as a browser does: its address contains the hand-over code.
    await browser.get(pages.token(outcome.contents.authTokenSelector, outcome.contents.authTokenToken))
  }
  const browser = open()
  const user = { ...ada }
  const otp = () => otpOf(user)
  let secret = ''
  const code = () => codeAt(secret, server.clock.at)

  await step('wrong password', () => browser.signIn({ ...user, password: 'wrong password wrong' }))
  await step('put off', async () => {
    const factor = offered(await browser.signIn(user))
    secrets.add(secretOf(factor))
    await enter(browser, await browser.call(routes.setupOTP, { ...otp(), otpFactorUUID: factor.factorUUID }))
  })
  await step('authenticator', async () => {
    secret = (await enroll(browser, server.clock, user)).secret
    secrets.add(secret)
  })
  // Creating the first codes notifies the owner just like replacing them: an attacker could do either.
  const codes = await step('recovery codes made', () => browser.call(accountRoutes.userRecoveryCodes, {}))
  for (const one of codes.recoveryCodes) secrets.add(one)
  await step('signed out', () => browser.call(routes.logoutBySelf, {}))
  await step('wrong codes', async () => {
    await browser.signIn(user)
    const right = await Promise.all([-1, 0, 1].map(n => codeAt(secret, server.clock.at + n * seconds(30))))
    const otpVerification = [111_111, 222_222, 333_333, 444_444].find(n => !right.includes(n))
    for (let i = 0; i < 3; i++) await browser.call(routes.verifyOTP, { ...otp(), otpVerification })
  })
  await step('code', async () => enter(browser, await browser.call(routes.verifyOTP, { ...otp(), otpVerification: await code() })))
  await step('recovery code', async () => {
    const otpRecoveryCode = codes.recoveryCodes[0] ?? ''
    await enter(browser, await browser.call(routes.recoveryCode, { ...otp(), otpRecoveryCode }))
  })
  const reset = await step('factor reset asked for', () => browser.call(routes.resetOTP, otp()))
  const shown = await step('factor reset opened', () => browser.call(routes.newFactor, link('new-factor')))
  await step('factor replaced', async () => {
    secret = secretOf(offered(shown))
    secrets.add(secret)
    const otpFactorUUID = reset.tag === 'AuthRequiresFactorReset' ? reset.contents : ''
    await enter(browser, await browser.call(routes.setupOTP, { ...otp(), otpFactorUUID, otpVerification: await code() }))
  })
  await step('password changed', async () => {
    const [newpassword = ''] = passwords
    await browser.call(accountRoutes.userPasswordReset, { useridentity: user.username, oldpassword: user.password, newpassword })
    user.password = newpassword
  })
  await step('password reset asked for', () => browser.call(routes.sendPasswordResetEmail, { useremail: user.username }))
  await step('password reset', async () => {
    const { selector, token } = link('new-password')
    const [, newpassword = ''] = passwords
    const newPassword = { newpassword, newpasswordverification: newpassword }
    await browser.call(routes.resetPassword, { username: user.username, resettoken: `${selector}.${token}`, ...newPassword })
    user.password = newpassword
  })
  await step('one-time link asked for', () => browser.call(routes.magiclinkSend, magicLink))
  const other = open()
  await step('one-time link', async () => other.call(routes.magiclinkRedeem, link('one-time-link')))
  await step('code with a ticket', async () =>
    enter(other, await other.call(routes.verifyOTP, { otpUsername: '', otpPassword: '', otpVerification: await code() })),
  )
  await step('new address asked for', () =>
    other.call(accountRoutes.userEmailChange, { newemail: 'countess@example.com', password: user.password }),
  )
  await step('new address', () => other.call(accountRoutes.userEmailConfirm, link('confirm-email', 'countess@example.com')))
  user.username = 'countess@example.com'
  await step('locked', async () => {
    const visitor = open()
    for (let i = 0; i < 11; i++) await visitor.signIn({ ...user, password: 'wrong password wrong' })
  })
  const administrator = open()
  const own = await step('administrator', () => enroll(administrator, server.clock, admin))
  secrets.add(own.secret)
  await step('invited', () =>
    administrator.call(routes.userAdd, { username: 'grace@example.com', authenticateduser: admin.username, timezone: 'UTC' }),
  )
  await step('invitation taken up', async () => {
    const { selector, token } = link('new-password', 'grace@example.com')
    const newpassword = passwords[3] ?? ''
    const newPassword = { newpassword, newpasswordverification: newpassword }
    await open().call(routes.resetPassword, { username: 'grace@example.com', resettoken: `${selector}.${token}`, ...newPassword })
  })
  await step('deleted', async () => {
    const otpVerification = await codeAt(own.secret, server.clock.at)
    const outcome = await administrator.call(routes.verifyOTP, { ...otpOf(admin), otpVerification })
    if (outcome.tag !== 'AuthSuccessful') throw new Error(outcome.tag)
    const { authTokenSelector: selector, authTokenToken: token } = outcome.contents
    secrets.add(token)
    await administrator.call(routes.userDelete, { userident: 'grace@example.com', selector, token })
  })
  await step('refused', async () => {
    await open().send('POST', routes.plowlogin.path, { authTokenSelector: 'made-up', authTokenToken: 'made-up' })
    await open().send('POST', routes.magiclinkRedeem.path, { selector: 'made-up', token: 'made-up' })
    await open().get('/auth/page/plow/made-up/made-up')
    server.clock.advance(minutes(20))
    await administrator.send('POST', routes.logoutByUserId.path, 'made-up')
  })
  return { server, start, secrets, selectors, steps, mails }
}
