import { type AuthOutcome, accountRoutes, passkeyRoutes, routes } from '@gatehouse/wire'
import { minutes, seconds } from '../../src/limits.ts'
import { linkIdentity, page, returnFromProvider, signInAtProvider, type startWithProvider } from '../sso/sso-sign-in.ts'
import { codeAt, enroll, offered, otpOf, secretOf } from '../support/authenticator.ts'
import type { Browser } from '../support/harness.ts'
import { makePasskeyDevice } from '../support/passkey-device.ts'
import { addPasskey, optionsFor, origin, usePasskey } from '../support/passkey-users.ts'
import { mailedLink } from './mailed-link.ts'

/** What an attacker can hold of another user's account. A `session` is a stolen cookie whose owner signed in more than 15 minutes ago. */
export const holdings = [
  ...(['password', 'mailed password', 'mailbox', 'provider', 'trusted provider', 'planted identity'] as const),
  ...(['factor', 'recovery code', 'passkey', 'session'] as const),
]
/** Pairs of which an account has only one: a password came by email or it did not, and each provider has one identity. */
export const exclusive: readonly (readonly Holding[])[] = [
  ['password', 'mailed password'],
  ['trusted provider', 'planted identity'],
]
export type Holding = (typeof holdings)[number]
type Installation = Awaited<ReturnType<typeof startWithProvider>>

const ticket = { otpUsername: '', otpPassword: '' }
let users = 0

/** A user with every credential: password, authenticator, recovery codes, a passkey, a linked provider. */
const makeVictim = async ({ server, idp }: Installation, held: ReadonlySet<Holding>) => {
  const username = `victim${users++}@example.com`
  const account = { username, password: `the own password of ${username}` }
  await server.addUser(account)
  // Both are identities at Azure, which is trusted.
  const [own, planted] = [`azure-of-${username}`, `planted-for-${username}`]
  for (const sub of [own, planted]) idp.users.set(sub, { sub })
  const link = async (browser: Browser, sub: string, at: 'google' | 'azure') => {
    const { location } = (await linkIdentity(browser, idp, sub, account.password, at)).headers
    if (location !== '/account') throw new Error(`not linked: ${location}`)
  }
  if (held.has('planted identity')) {
    const before = server.openBrowser()
    const { factorUUID } = offered(await before.signIn(account))
    const skipped = await before.call(routes.setupOTP, { ...otpOf(account), otpFactorUUID: factorUUID, otpVerification: null })
    if (skipped.tag !== 'AuthSuccessful') throw new Error(skipped.tag)
    await before.call(routes.plowlogin, skipped.contents)
    await link(before, planted, 'azure')
  }
  const browser = server.openBrowser()
  const { secret, factorUUID } = await enroll(browser, server.clock, account)
  const { recoveryCodes } = await browser.call(accountRoutes.userRecoveryCodes, {})
  const device = makePasskeyDevice(origin)
  const { factorUUID: passkeyUUID } = await addPasskey(browser, device)
  idp.users.set(username, { sub: username })
  await link(browser, username, 'google')
  if (held.has('trusted provider')) await link(browser, own, 'azure')
  const nextCode = () => {
    server.clock.advance(seconds(30))
    return codeAt(secret, server.clock.at)
  }
  const mailsTo = async () => (await server.deliver()).filter(mail => mail.to === username)
  const resetPassword = async () => {
    const asks = server.openBrowser()
    server.clock.advance(1)
    await asks.call(routes.sendPasswordResetEmail, { useremail: username })
    const { selector, token } = mailedLink(await mailsTo(), 'new-password')
    const newpassword = `a mailed password of ${username}`
    const reset = { username, resettoken: `${selector}.${token}`, newpassword, newpasswordverification: newpassword }
    await asks.call(routes.resetPassword, reset)
    return newpassword
  }
  const openOneTimeLink = async (asks: Browser) => {
    server.clock.advance(1)
    await asks.call(routes.magiclinkSend, [{ email: username, redirect: { tag: 'RedirectDashboard' } }])
    return asks.call(routes.magiclinkRedeem, mailedLink(await mailsTo(), 'one-time-link'))
  }
  if (held.has('mailed password')) account.password = await resetPassword()
  const owner = server.openBrowser()
  if (held.has('session')) {
    // Sign in without typing the password, so it remains unvouched.
    await openOneTimeLink(owner)
    const outcome = await owner.call(routes.verifyOTP, { ...ticket, otpVerification: await nextCode() })
    if (outcome.tag !== 'AuthSuccessful') throw new Error(outcome.tag)
    await owner.call(routes.plowlogin, outcome.contents)
    server.clock.advance(minutes(15))
  }
  return {
    account,
    username,
    own,
    planted,
    factorUUID,
    device,
    passkeyUUID,
    recoveryCodes,
    owner,
    nextCode,
    mailsTo,
    resetPassword,
    openOneTimeLink,
  }
}

/** Holds some of the victim's credentials and tries every way to use them. */
const makeAttacker = (installation: Installation, victim: Awaited<ReturnType<typeof makeVictim>>, held: ReadonlySet<Holding>) => {
  const { server, idp } = installation
  const { username } = victim
  const atAzure = [...(held.has('trusted provider') ? [victim.own] : []), ...(held.has('planted identity') ? [victim.planted] : [])]
  let password = held.has('password') || held.has('mailed password') ? victim.account.password : undefined
  const codes = [...victim.recoveryCodes]

  const assertion = async (browser: Browser, purpose: Parameters<typeof optionsFor>[1]) =>
    victim.device.get(await optionsFor(browser, purpose))
  /** What the attacker shows in place of a password. */
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

  /** A fresh session. */
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
      // A session by the account's own factor can do more, so try first without the provider's.
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

  return {
    signIn: async () => held.has('session') || (await signIn()) !== undefined,
    setUpOrSkip,
    replaceFactor,
    addFactor,
    removeFactor,
    addOwnPasskey,
    removePasskey,
    makeRecoveryCodes,
    changePassword,
    changeAddress,
    linkProvider,
    unlinkProvider,
  }
}

type Attacker = ReturnType<typeof makeAttacker>

/** The rows of docs/security.md: how to attempt each act, and which credential changes if it succeeds. */
export const acts = {
  'Sign in': { attempt: attacker => attacker.signIn() },
  'Set up a factor as if it were the first one, or skip it': { attempt: attacker => attacker.setUpOrSkip() },
  'Replace the second factor by email': { attempt: attacker => attacker.replaceFactor(), shows: 'factors' },
  'Add a second factor': { attempt: attacker => attacker.addFactor(), shows: 'factors' },
  'Remove the second factor': { attempt: attacker => attacker.removeFactor(), shows: 'factors' },
  'Add a passkey': { attempt: attacker => attacker.addOwnPasskey(), shows: 'passkeys' },
  'Remove a passkey': { attempt: attacker => attacker.removePasskey(), shows: 'passkeys' },
  'Make new recovery codes': { attempt: attacker => attacker.makeRecoveryCodes(), shows: 'made' },
  'Set a new password': { attempt: attacker => attacker.changePassword(), shows: 'userPassword' },
  'Change the address': { attempt: attacker => attacker.changeAddress(), shows: 'userIdent' },
  'Link a provider': { attempt: attacker => attacker.linkProvider(), shows: 'userPakId' },
  'Unlink a provider': { attempt: attacker => attacker.unlinkProvider(), shows: 'userGoogleId' },
} as const satisfies Record<string, { attempt: (attacker: Attacker) => Promise<unknown>; shows?: keyof Credentials }>
export type ActName = keyof typeof acts

type Credentials = Awaited<ReturnType<typeof readCredentials>>

const readCredentials = async ({ server: { db } }: Installation, factorUUID: string, username: string, userId?: string) => {
  const of = db.selectFrom('users').select(['userId', 'userIdent', 'userPassword', 'userGoogleId', 'userPakId'])
  const user = await (userId === undefined
    ? of.where('userIdent', '=', username)
    : of.where('userId', '=', userId)
  ).executeTakeFirstOrThrow()
  const verified = db.selectFrom('factors').select('factorUUID').where('factorStatus', '=', 'Verified')
  const factors = (await verified.where('factorIdentity', '=', user.userId).execute()).map(row => row.factorUUID)
  const own = await db.selectFrom('passkeys').select('passkeyFactor').where('passkeyUser', '=', user.userId).execute()
  const made = await db.selectFrom('recovery_codes').select('recoveryCodeCreated').where('recoveryCodeUser', '=', user.userId).execute()
  return {
    ...user,
    factors: [factors.includes(factorUUID), factors.length - own.length].join(),
    passkeys: own.map(row => row.passkeyFactor).join(),
    made: Math.max(...made.map(row => Number(row.recoveryCodeCreated))),
  }
}

/** Which acts succeed with these holdings. After an act that changed something, the next one gets a new victim. */
export const tryEverything = async (installation: Installation, held: ReadonlySet<Holding>): Promise<ReadonlySet<ActName>> => {
  const succeeded = new Set<ActName>()
  const begin = async () => {
    const victim = await makeVictim(installation, held)
    const credentials = await readCredentials(installation, victim.factorUUID, victim.username)
    return { victim, credentials, attacker: makeAttacker(installation, victim, held) }
  }
  let at = await begin()
  for (const name of Object.keys(acts) as ActName[]) {
    const { victim, credentials: before, attacker } = at
    // Give new rows a later time than existing ones.
    installation.server.clock.advance(1)
    const act: { attempt: (attacker: Attacker) => Promise<unknown>; shows?: keyof Credentials } = acts[name]
    const came = await act.attempt(attacker)
    const after = await readCredentials(installation, victim.factorUUID, victim.username, before.userId)
    const done = act.shows === undefined ? came === true : before[act.shows] !== after[act.shows]
    if (done) succeeded.add(name)
    if (done || JSON.stringify(before) !== JSON.stringify(after)) at = await begin()
  }
  return succeeded
}
