import { createHash } from 'node:crypto'
import { type AuthOutcome, type PasskeyAssertion, passkeyRoutes, routes, type Factor as ShownFactor } from '@gatehouse/wire'
import { createUserActs } from '../../../src/admin/user-acts.ts'
import type { Db } from '../../../src/db/schema.ts'
import { createKeyring } from '../../../src/keys/keyring.ts'
import { limits } from '../../../src/limits.ts'
import { createMail } from '../../../src/mail/mail.ts'
import type { KeptMail } from '../../../src/mail/mailbox.ts'
import { revokeAll } from '../../../src/sessions/access-revocation.ts'
import { createServerLanguages } from '../../../src/texts/server-languages.ts'
import * as accounts from '../../../src/users/users.store.ts'
import type { startServer } from '../../support/harness.ts'
import { makePasskeyDevice, type PasskeyDevice } from '../../support/passkey-device.ts'
import { origin } from '../../support/passkey-users.ts'
import type { Chance } from './chance.ts'
import { codeOf } from './codes.ts'
import { type Actor, type Answer, createModel, type Factor, type How, type Link, newFactor, type Policy, type Visitor } from './model.ts'
import type { WalkProvider } from './walk-provider.ts'

/** `takeMails` returns the mails since its last call. */
export type Server = Awaited<ReturnType<typeof startServer>> & { takeMails: () => KeptMail[] }

/** What an attacker holds. According to docs/security.md, none of these sets suffices for any protected act. */
const holdings = [
  ['mailbox', 'provider', 'session'],
  ['password', 'provider'],
  ['factor', 'recovery code', 'session'],
] as const
type Holding = (typeof holdings)[number][number]

/** What one side knows, and the browsers it uses. */
export type Party = {
  actor: Actor
  holds: ReadonlySet<Holding>
  visitors: Visitor[]
  passwords: string[]
  /** Authenticator secrets this side has seen. */
  secrets: Set<string>
  recoveryCodes: string[]
  /** Authenticators of this side, each with one passkey. */
  devices: PasskeyDevice[]
}

export type Scenario = Awaited<ReturnType<typeof createScenario>>

/** A new account with its owner and an attacker. In three of four scenarios, the owner has an authenticator. */
export const createScenario = async (server: Server, idp: WalkProvider, chance: Chance, name: string, policy: Policy) => {
  const { clock } = server
  const now = () => clock.at
  const address = `${name}@example.com`
  const password = `the first password of ${name}`
  const userId = await server.addUser({ username: address, password })
  const model = createModel(now, policy, { password, address })
  const identityOf = (sub: string) => `${idp.issuer} ${sub}`
  const visitorsOf = (actor: Actor): Visitor[] =>
    [0, 1].map(n => ({
      actor,
      browser: server.openBrowser(),
      id: `${actor} ${n}`,
      known: false,
      ticket: undefined,
      handOver: undefined,
      session: undefined,
    }))
  const held = new Set<Holding>(chance.pick(holdings))
  // Before the first second factor, the attacker or the owner may have linked an identity at the trusted provider. With that identity, the
  // attacker's factor or recovery code would be enough.
  const early = chance.pick(held.has('factor') ? (['owner', null] as const) : (['attacker', 'attacker', 'owner', null] as const))
  idp.users.set(name, { sub: name })
  for (const actor of ['owner', 'attacker'] as const) idp.users.set(subAtPak(name, actor), { sub: subAtPak(name, actor), amr: ['mfa'] })
  model.linked.google = { sub: name, by: 'owner', vouched: false }
  if (early) model.linked.pak = { sub: subAtPak(name, early), by: early, vouched: false }
  await server.db
    .updateTable('users')
    .set({ userGoogleId: identityOf(name), userPakId: early ? identityOf(subAtPak(name, early)) : null })
    .where('userId', '=', userId)
    .execute()
  const owner: Party = {
    actor: 'owner',
    holds: new Set<Holding>(['mailbox', 'provider']),
    visitors: visitorsOf('owner'),
    passwords: [password],
    secrets: new Set(),
    recoveryCodes: [],
    devices: [],
  }
  const attacker: Party = {
    actor: 'attacker',
    holds: held,
    visitors: visitorsOf('attacker'),
    passwords: held.has('password') ? [password] : [],
    secrets: new Set(),
    recoveryCodes: [],
    devices: [],
  }
  const parties = [owner, attacker]
  let made = 0

  const knows = (party: Party, factor: Factor) => factor.secret !== undefined && party.secrets.has(factor.secret)

  /** Records that a side has seen a new factor's secret. */
  const see = (party: Party, shown: ShownFactor): string => {
    const secret = shown.factorBinding?.tag === 'TOTPBinding' ? shown.factorBinding.contents.factorTOTPBindingSecret : ''
    party.secrets.add(secret)
    return secret
  }

  /** Records a new factor that awaits its first code. */
  const offer = (party: Party, visitor: Visitor, outcome: AuthOutcome) => {
    if (outcome.tag !== 'AuthRequiresFactorCreation') return
    const { passkey: options } = outcome
    visitor.setUpOffer = options ? { options, expires: now() + limits.passkey.setUp } : undefined
    model.add(newFactor(outcome.contents.factorUUID, see(party, outcome.contents), false, now()))
  }

  /** The links in new mails, with the sides that can read each mail. */
  const collect = async (): Promise<Link[]> => {
    await server.mailSender.round()
    const mails = server.takeMails().toSorted((a, b) => a.at.localeCompare(b.at))
    const found = mails.flatMap(mail => {
      const [, page = '', selector = '', token = ''] =
        /\/(one-time-link|new-password|new-factor|confirm-email)#([\w-]+)\.([\w-]+)/.exec(mail.text) ?? []
      const kind = kinds[page as keyof typeof kinds]
      if (!kind) return []
      for (const link of model.links)
        if (link.kind === kind && link.is === 'newest') link.is = kind === 'FactorReset' || kind === 'EmailChange' ? 'dead' : 'older'
      const readers = new Set(parties.filter(({ actor, holds }) => reads(actor, holds, mail.to)).map(({ actor }) => actor))
      const link: Link = {
        kind,
        claim: { selector, token },
        readers,
        expires: now() + lifetimes[kind],
        is: 'newest',
        factorUUID: undefined,
        email: mail.to,
      }
      model.links.push(link)
      return [link]
    })
    return found
  }
  /** Each side also reads mail to its own addresses. */
  const reads = (actor: Actor, holds: ReadonlySet<Holding>, to: string) =>
    to.startsWith(`${actor}-`) || (to === address && holds.has('mailbox'))

  /** The two fields that carry the first factor. */
  const otp = (how: How) =>
    how === 'ticket' ? { otpUsername: '', otpPassword: '' } : { otpUsername: model.account.address, otpPassword: how.typed }

  const enroll = async () => {
    const [visitor] = owner.visitors
    if (!visitor) throw new Error('no visitor')
    const { browser } = visitor
    const outcome = await browser.signIn({ username: address, password })
    offer(owner, visitor, outcome)
    const factor = model.pending()
    if (!factor?.secret) throw new Error(outcome.tag)
    const step = Math.floor(now() / limits.totp.step)
    const done = await browser.call(routes.setupOTP, {
      ...otp({ typed: password }),
      otpFactorUUID: factor.uuid,
      otpVerification: codeOf(factor.secret, step),
    })
    if (done.tag !== 'AuthSuccessful') throw new Error(done.tag)
    model.complete(factor, step, 'owner')
    visitor.known = true
    model.handOver(visitor, done.contents, 'code')
    if (held.has('factor')) attacker.secrets.add(factor.secret)
  }
  /** Before the first second factor, an attacker who knows the password adds a passkey as a password manager does. */
  const plant = async () => {
    const [visitor] = attacker.visitors
    if (!visitor) throw new Error('no visitor')
    const { browser } = visitor
    const offered = await browser.signIn({ username: address, password })
    if (offered.tag !== 'AuthRequiresFactorCreation' || !model.skip()) throw new Error(offered.tag)
    const skip = { ...otp({ typed: password }), otpFactorUUID: offered.contents.factorUUID, otpVerification: null, passkeys: true }
    const entered = await browser.call(routes.setupOTP, skip)
    if (entered.tag !== 'AuthSuccessful' || !entered.passkeys?.upgrade) throw new Error(entered.tag)
    await browser.call(routes.plowlogin, entered.contents)
    visitor.known = true
    model.startSession(visitor, undefined)
    const device = makePasskeyDevice(origin)
    attacker.devices.push(device)
    const { factorUUID } = await browser.call(passkeyRoutes.passkeyUpgrade, { credential: device.create(entered.passkeys.upgrade) })
    const passkey = { device, optional: true }
    model.add({ ...newFactor(factorUUID, undefined, false, now()), verified: true, by: 'attacker', passkey })
  }
  if (held.has('password') && policy === 'skippable' && chance.is(0.6)) await plant()
  // Some accounts have no second factor yet.
  const isEnrolled = !chance.is(0.25)
  if (isEnrolled) await enroll()
  // Some users have no password: they sign in by link, provider or passkey.
  if (held.has('factor') && chance.is(0.5)) {
    model.account.password = null
    owner.passwords = []
    await server.db.updateTable('users').set({ userPassword: null }).where('userId', '=', userId).execute()
  }
  // The owner may have linked their identities in a session that passed the second factor.
  for (const [identity, column] of [
    [model.linked.google, 'userGoogleVouched'],
    [model.linked.pak, 'userPakVouched'],
  ] as const) {
    if (!isEnrolled || identity?.by !== 'owner' || chance.is(0.3)) continue
    identity.vouched = true
    await server.db
      .updateTable('users')
      .set({ [column]: identityOf(identity.sub) })
      .where('userId', '=', userId)
      .execute()
  }

  const mail = createMail({
    keyring: createKeyring(server.config.masterKeys),
    now,
    administrators: [],
    texts: createServerLanguages([], 'en'),
  })
  const users = createUserActs({ mail, now })
  /** The administrator acts through the command line. */
  const by = { actor: 'cli', origin: undefined }
  const inAccount = (act: (tx: Db, account: accounts.Account) => Promise<unknown>) => async () => {
    await server.db.transaction().execute(async tx => {
      const account = await accounts.findById(tx, userId)
      if (account) await act(tx, account)
    })
  }
  const acts = {
    forceReset: inAccount((tx, account) => users.forceReset(tx, account, by)),
    unlock: inAccount((tx, account) => users.unlock(tx, account, by)),
    removeFactor: async (uuid: string) => inAccount((tx, account) => users.removeFactor(tx, account, uuid, by))(),
    removeFactors: inAccount((tx, account) => users.removeFactors(tx, account, by)),
    endSessions: inAccount(tx => revokeAll(tx, userId)),
  }

  const captured: PasskeyAssertion[] = []

  return {
    server,
    idp,
    name,
    chance,
    now,
    clock,
    userId,
    model,
    policy,
    acts,
    owner,
    attacker,
    parties,
    knows,
    see,
    offer,
    collect,
    otp,
    identityOf,
    /** Assertions that the owner has sent. */
    captured,
    capture: (used: PasskeyAssertion) => captured.splice(0, Math.max(0, captured.push(used) - 5)),
    /** The id of the factor that the server created for a new passkey; empty if it created none. */
    uuidOf: async ({ held: [passkey] }: PasskeyDevice) =>
      (
        await server.db
          .selectFrom('passkeys')
          .select('passkeyFactor')
          .where('passkeyCredentialId', '=', passkey?.id ?? '')
          .executeTakeFirst()
      )?.passkeyFactor ?? '',
    /** The identity that the attacker linked while the account had no second factor. */
    planted: early === 'attacker' ? model.linked.pak : undefined,
    unique: () => `${name} ${++made}`,
    /** A new password of random letters. It is short, because the server estimates the strength of short passwords faster. */
    newPassword: () => lettersOf(`${name} ${++made}`),
  }
}

const lettersOf = (text: string) =>
  [...createHash('sha256').update(text).digest().subarray(0, 18)].map(byte => String.fromCharCode(97 + (byte % 26))).join('')

const kinds = {
  'one-time-link': 'OneTimeLink',
  'new-password': 'PasswordReset',
  'new-factor': 'FactorReset',
  'confirm-email': 'EmailChange',
} as const
const lifetimes: Record<Link['kind'], number> = {
  OneTimeLink: limits.mailLink.oneTime,
  PasswordReset: limits.mailLink.passwordReset,
  FactorReset: limits.mailLink.factorReset,
  EmailChange: limits.mailLink.emailChange,
}

export const application = 'localhost:3000'
/** The protected application always requires a passkey: where the policy does not, its own rule does. */
export const protectedOrigins = (policy: Policy) => `http://${application}${policy === 'phishing-resistant' ? '' : ' phishing-resistant'}`

/** The identity that each side has at the trusted provider. Google knows the owner by the account's name. */
export const subAtPak = (name: string, actor: Actor) => `${name}-${actor}`

/** A short form of an outcome. */
export const answerOf = (outcome: AuthOutcome): Answer => {
  if (outcome.tag === 'AuthFailureFailedLogin') return outcome.passkey ? `${outcome.tag} ${outcome.passkey}` : outcome.tag
  if (outcome.tag === 'AuthSuccessful') return outcome.passkeys?.upgrade ? `${outcome.tag}, with an upgrade` : outcome.tag
  if (outcome.tag !== 'AuthFailureFactorError') return outcome.tag
  const { contents } = outcome
  switch (contents.tag) {
    case 'DatabaseError':
      return contents.contents.tag
    case 'TOTPError':
    case 'VerifyTOTPFactorError':
      return `${contents.tag} ${contents.contents.status} ${contents.contents.reason.tag}`
    case 'StoreError':
    case 'ApiError':
      return contents.tag
  }
}
