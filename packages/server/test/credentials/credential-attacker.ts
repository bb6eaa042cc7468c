import { type AuthOutcome, accountRoutes, passkeyRoutes, routes } from '@gatehouse/wire'
import { page, returnFromProvider, signInAtProvider } from '../sso/sso-sign-in.ts'
import { codeAt, offered, otpOf, secretOf } from '../support/authenticator.ts'
import type { Browser } from '../support/harness.ts'
import { makePasskeyDevice } from '../support/passkey-device.ts'
import { optionsFor, origin, usePasskey } from '../support/passkey-users.ts'
import { type Holding, type Installation, ticket, type Victim } from './credential-victim.ts'
import { mailedLink } from './mailed-link.ts'

/** A protected application. The rule in credential-table.ts admits passes to it. */
export const applicationForPasses = 'http://localhost:3000'

/** An attacker who holds some of the victim's credentials and tries every way to use them. */
export const makeAttacker = (installation: Installation, victim: Victim, held: ReadonlySet<Holding>) => {
  const { server, idp } = installation
  const { username } = victim
  const atAzure = [...(held.has('trusted provider') ? [victim.own] : []), ...(held.has('planted identity') ? [victim.planted] : [])]
  let password = held.has('password') || held.has('mailed password') ? victim.account.password : undefined
  const codes = [...victim.recoveryCodes]

  const assertion = async (browser: Browser, purpose: Parameters<typeof optionsFor>[1]) =>
    victim.device.get(await optionsFor(browser, purpose))
  /** The attacker's proof in place of a password. */
  const inPlaceOfPassword = async (browser: Browser) =>
    held.has('passkey') ? { credential: await assertion(browser, 'Reauthentication') } : {}

  /** Tries to pass the second factor. */
  const passSecond = async (browser: Browser, otp: { otpUsername: string; otpPassword: string }): Promise<Browser | undefined> => {
    const tries: (() => Promise<AuthOutcome>)[] = [
      ...(held.has('factor') ? [async () => browser.call(routes.verifyOTP, { ...otp, otpVerification: await victim.nextCode() })] : []),
      ...(held.has('recovery code') ? [() => browser.call(routes.recoveryCode, { ...otp, otpRecoveryCode: codes.pop() ?? '' })] : []),
      ...(held.has('passkey')
        ? [async () => browser.call(passkeyRoutes.passkeyVerify, { ...otp, credential: await assertion(browser, 'SecondFactor') })]
        : []),
      () => browser.call(routes.verifyOTP, otp),
    ]
    for (const attempt of tries) {
      const outcome = await attempt()
      if (outcome.tag !== 'AuthSuccessful') continue
      await browser.call(routes.plowlogin, outcome.contents)
      return browser
    }
    return undefined
  }

  const enterAtAzure = async (sub: string): Promise<Browser | undefined> => {
    const browser = server.openBrowser()
    const { location = '' } = (await signInAtProvider(browser, idp, sub, 'azure')).headers
    if (location === '/second-factor') return passSecond(browser, ticket)
    if (!location.startsWith('/auth/page/plow/')) return undefined
    await browser.get(location, page)
    return browser
  }

  const typed = () => (password === undefined ? undefined : otpOf({ username, password }))

  /** A new session, or `undefined` if no holding opens one. */
  const signIn = async (): Promise<Browser | undefined> => {
    const otp = typed()
    if (otp) {
      const entered = await passSecond(server.openBrowser(), otp)
      if (entered) return entered
    }
    if (held.has('mailbox')) {
      const browser = server.openBrowser()
      await victim.openOneTimeLink(browser)
      const entered = await passSecond(browser, ticket)
      if (entered) return entered
    }
    if (held.has('provider')) {
      const browser = server.openBrowser()
      await signInAtProvider(browser, idp, username)
      const entered = await passSecond(browser, ticket)
      if (entered) return entered
    }
    if (held.has('passkey')) {
      const browser = server.openBrowser()
      const outcome = await usePasskey(browser, victim.device)
      if (outcome.tag === 'AuthSuccessful') {
        await browser.call(routes.plowlogin, outcome.contents)
        return browser
      }
    }
    for (const sub of atAzure) {
      // A session opened with the account's own factor can do more, so try first without the provider's second factor.
      for (const claims of [{}, { amr: ['mfa'] }]) {
        idp.users.set(sub, { sub, ...claims })
        const entered = await enterAtAzure(sub)
        if (entered) return entered
      }
    }
    return undefined
  }

  /** The session with the most rights: a fresh one, or the stolen one after reauthentication. */
  const session = async (): Promise<Browser> => {
    const entered = await signIn()
    if (entered || !held.has('session')) return entered ?? server.openBrowser()
    const { owner } = victim
    if (password !== undefined) await owner.send('POST', accountRoutes.userPasswordConfirm.path, { password })
    return owner
  }

  /** A password to type; an attacker who reads the mailbox can set one. */
  const knowPassword = async (): Promise<string> => {
    if (password === undefined && held.has('mailbox')) password = await victim.resetPassword()
    return password ?? 'a guess at the password'
  }

  const addFactor = async () => {
    const browser = await session()
    const asked = {
      factorCreationRequestIdentity: username,
      factorCreationRequestFriendlyName: 'Another',
      factorCreationRequestFactorType: 'TOTP',
    }
    const started = await browser.send('POST', accountRoutes.userFactorAdd.path, asked)
    if (started.statusCode !== 200) return
    const factor = started.json()
    const code = await codeAt(secretOf(factor), server.clock.at)
    const verify = { verifyTOTPFactorRequestFactorUUID: factor.factorUUID, verifyTOTPFactorRequestCode: code }
    await browser.send('POST', accountRoutes.userFactorVerify.path, verify)
  }

  const replaceFactor = async () => {
    const otp = otpOf({ username, password: await knowPassword() })
    // Typing a mailed password together with a second factor vouches for it.
    if (held.has('factor') || held.has('recovery code') || held.has('passkey')) await passSecond(server.openBrowser(), otp)
    const browser = server.openBrowser()
    server.clock.advance(1)
    const asked = await browser.call(routes.resetOTP, otp)
    if (asked.tag !== 'AuthRequiresFactorReset' || !held.has('mailbox')) return
    const mails = (await victim.mailsTo()).filter(mail => mail.text.includes('/new-factor#'))
    if (mails.length === 0) return
    const opened = await browser.call(routes.newFactor, mailedLink(mails, 'new-factor'))
    if (opened.tag !== 'AuthRequiresFactorCreation') return
    const factor = offered(opened)
    const first = { otpFactorUUID: factor.factorUUID, otpVerification: await codeAt(secretOf(factor), server.clock.at) }
    await browser.call(routes.setupOTP, { ...otp, ...first })
  }

  /** Acts as if the account had no second factor: sets one up at sign-in, or skips it. */
  const setUpOrSkip = async () => {
    const browser = server.openBrowser()
    const otp = otpOf({ username, password: await knowPassword() })
    const asked = await browser.call(routes.resetOTP, otp)
    const otpFactorUUID = asked.tag === 'AuthRequiresFactorReset' ? asked.contents : victim.factorUUID
    if (held.has('mailbox')) await victim.openOneTimeLink(browser)
    if (held.has('provider')) await signInAtProvider(browser, idp, username)
    for (const sub of atAzure) await signInAtProvider(browser, idp, sub, 'azure')
    for (const account of [otp, ticket])
      for (const otpVerification of [null, 123_456]) {
        const outcome = await browser.call(routes.setupOTP, { ...account, otpFactorUUID, otpVerification })
        if (outcome.tag === 'AuthSuccessful') return true
      }
    return false
  }

  const changePassword = async () => {
    if (held.has('mailbox')) return void (await victim.resetPassword())
    const browser = await session()
    const passwords = { newpassword: 'a wholly new password', newpasswordverification: 'a wholly new password' }
    const oldpassword = password ?? 'a guess at the password'
    await browser.send('POST', accountRoutes.userPasswordUpdate.path, { useridentity: username, oldpassword, ...passwords })
    await browser.send('POST', accountRoutes.userPasswordCreate.path, { useridentity: username, ...passwords })
  }

  const changeAddress = async () => {
    const newemail = `attacker-of-${username}`
    const known = await knowPassword()
    const browser = await session()
    await browser.send('POST', accountRoutes.userEmailChange.path, { newemail, password: known, ...(await inPlaceOfPassword(browser)) })
    const mails = (await server.deliver()).filter(mail => mail.to === newemail)
    if (mails.length > 0) await browser.call(accountRoutes.userEmailConfirm, mailedLink(mails, 'confirm-email'))
  }

  const linkProvider = async () => {
    const known = await knowPassword()
    const browser = await session()
    idp.users.set(`attacker-of-${username}`, { sub: `attacker-of-${username}` })
    const started = await browser.send('POST', accountRoutes.userProviderLink.path, {
      provider: 'Pak',
      password: known,
      ...(await inPlaceOfPassword(browser)),
    })
    if (started.statusCode === 200) await returnFromProvider(browser, await idp.visit(started.json().location, `attacker-of-${username}`))
  }

  const unlinkProvider = async () => {
    const known = await knowPassword()
    const browser = await session()
    await browser.send('POST', accountRoutes.userProviderUnlink.path, {
      provider: 'Google',
      password: known,
      ...(await inPlaceOfPassword(browser)),
    })
  }

  const removeFactor = async () => {
    await (await session()).send('POST', accountRoutes.userFactorRemove.path, { factorUUID: victim.factorUUID })
  }

  const addOwnPasskey = async () => {
    const browser = await session()
    const options = await browser.send('POST', passkeyRoutes.passkeyAddOptions.path, {})
    if (options.statusCode !== 200) return
    const credential = makePasskeyDevice(origin).create(options.json())
    await browser.send('POST', passkeyRoutes.passkeyAdd.path, { credential })
  }

  const removePasskey = async () => {
    await (await session()).send('POST', accountRoutes.userFactorRemove.path, { factorUUID: victim.passkeyUUID })
  }

  const makeRecoveryCodes = async () => {
    const browser = await session()
    await browser.send('POST', accountRoutes.userRecoveryCodesAnew.path, {})
    await browser.send('POST', accountRoutes.userRecoveryCodes.path, {})
  }

  const createPass = async () => {
    const browser = await session()
    const pass = { name: 'Backup', to: [`${applicationForPasses}/*`], methods: [], from: [], days: 30 }
    await browser.send('POST', accountRoutes.userPassAdd.path, pass)
  }

  return {
    signIn: async () => held.has('session') || (await signIn()) !== undefined,
    setUpOrSkip,
    replaceFactor,
    addFactor,
    removeFactor,
    addOwnPasskey,
    removePasskey,
    makeRecoveryCodes,
    createPass,
    changePassword,
    changeAddress,
    linkProvider,
    unlinkProvider,
  }
}
export type Attacker = ReturnType<typeof makeAttacker>
