import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { allLanguageTags } from '@gatehouse/language/build/translations.ts'
import { english } from '@gatehouse/language/languages.ts'
import { isEmailList, type SsoProviderName } from '@gatehouse/wire'
import type { Brand } from '../brand/brand.ts'
import type { PushChannelServers } from '../factors/push/channels.ts'
import type { ProtectedOrigin } from '../forward-auth/protected-origin.ts'
import { limits, seconds } from '../limits.ts'
import { parseSmtpUrl, type SmtpConfig } from '../mail/smtp.ts'
import { checkBreachedList } from '../passwords/breached-passwords.ts'
import type { PhishingResistance } from '../sessions/phishing-resistance.ts'
import type { SecondFactorPolicy } from '../sign-in/second-factor-policy.ts'
import type { ProviderConfig } from '../sso/provider-config.ts'
import { canonicalUsername } from '../users/username.ts'
import { isNetwork } from '../visitors/network.ts'
import { readBrand } from './brand.ts'
import { readMailFrom, senderOf } from './mail-from.ts'
import { readMasterKeys } from './master-key.ts'
import { readOpenDoorAlarm } from './open-door.ts'
import { type PasskeySettings, readPasskeys, readSecurityContact } from './passkeys.ts'
import { readCookieDomain, readProtectedOrigins, readRulesFile } from './protected-origins.ts'
import { readProviders, readShownProviders } from './providers.ts'
import { readPushServers } from './push.ts'
import { isOrigin, isTarget, makeWritable, parseBaseUrl, parseDatabaseUrl, parseListen } from './value-formats.ts'
import { createReader, type Name, type Reader } from './variables.ts'

/** Thrown with every problem of the configuration at once, each a sentence that names its variable. */
export class ConfigProblems extends Error {
  readonly problems: string[]

  constructor(problems: string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

export type Config = {
  production: boolean
  /** The server's public address; the path has no trailing slash. */
  publicUrl: { origin: string; path: string; https: boolean }
  listen: { host: string; port: number }
  dataDir: string
  /** `sqlite:` and a path, or `postgres://…`. */
  databaseUrl: string
  /** Returns the master keys, the current one first. Reads them each time, because the file can change. */
  masterKeys: () => readonly Buffer[]
  /** The file with the master keys, if there is one. */
  masterKeyFile: string | undefined
  /** Canonical usernames of the administrators. */
  admins: ReadonlySet<string>
  dashboardUrl: string
  /** Other origins whose pages may call this server. */
  origins: readonly string[]
  /** Addresses or networks of proxies whose X-Forwarded-For the server believes. */
  trustedProxies: readonly string[]
  /** Origins of protected applications, and who may open each. */
  protectedOrigins: readonly ProtectedOrigin[]
  /** The file with the rules, in place of `protectedOrigins`. */
  rulesFile: string | undefined
  /** The domain whose hosts get the check cookie. Without it, checks use the session cookie, which only the public URL's host gets. */
  cookieDomain: string | undefined
  /** Only for a development server: the administrator to create if no user exists. */
  firstAdmin: { username: string; password: string | undefined } | undefined
  /** The mail server; without one a development server keeps mail in `mailFolder`. */
  smtp: SmtpConfig | undefined
  mailFolder: string
  /** The sender of all mail: `Name <address>`, or an address alone. */
  mailFrom: string
  /** The sender's address without the name. */
  mailAddress: string
  /** How pages, mails and authenticator apps present the product. */
  brand: Brand
  /** The tag of the language for browsers and users whose own language is unknown. */
  language: string
  /** The brand's name. */
  productName: string
  secondFactor: SecondFactorPolicy
  /** The domain of passkeys, or why passkeys are off. */
  passkeys: PasskeySettings
  /** The users who must sign in with a passkey. */
  phishingResistance: PhishingResistance | undefined
  /** Whether the sign-in page sends a code as soon as it has six digits. */
  submitCodeWhenComplete: boolean
  /** Where to report vulnerabilities, for `/.well-known/security.txt`. */
  securityContact: string | undefined
  /** The configured providers. */
  providers: readonly ProviderConfig[]
  /** Providers that the sign-in page offers, in this order. */
  shownProviders: readonly SsoProviderName[]
  /** Whether the first sign-in with a provider creates an account. */
  ssoProvision: boolean
  /** Whether providers may have private addresses. */
  ssoPrivate: boolean
  /** Whether push services may have private addresses. */
  pushPrivate: boolean
  /** Push notification servers of the operator, besides Web Push. */
  pushServers: PushChannelServers
  /** The minimum length of a password, in code points. */
  minPasswordLength: number
  /** A sorted file with hashes of breached passwords. */
  breachedPasswords: string | undefined
  /** The second listener, for metrics. Without it, a development server shows metrics to this machine only, and production shows none. */
  metricsListen: { host: string; port: number } | undefined
  /** How many passwords are hashed in parallel. */
  hashThreads: number
  /** How long a stopping server still answers, in milliseconds. */
  drain: number
  /** How long checks of recently used sessions pass while the database is unreachable, in milliseconds. With 0, none pass. */
  outageGrace: number
  /** The protected origins that the open-door alarm checks; undefined if the alarm is off. */
  openDoorAlarm: 'all' | readonly string[] | undefined
}

/**
 * Reads the configuration from the environment.
 * @throws ConfigProblems with all problems at once
 */
export const readConfig = (environment: NodeJS.ProcessEnv): Config => {
  const reader = createReader(environment)
  const production = environment.NODE_ENV === 'production'
  const listen = reader.parse('GATEHOUSE_LISTEN', '127.0.0.1:8080', parseListen, 'must be host:port, for example 127.0.0.1:8080') ?? {
    host: '127.0.0.1',
    port: 8080,
  }
  const publicUrl = readPublicUrl(reader, production, `http://localhost:${listen.port}`)
  const firstAdmin = reader.parse('GATEHOUSE_ADMIN_EMAIL', 'admin@example.com', canonicalUsername, 'must be one email address')
  const dataDir = resolve(reader.read('GATEHOUSE_DATA_DIR') ?? './data')
  const unwritable = makeWritable(dataDir)
  if (unwritable) reader.problem('GATEHOUSE_DATA_DIR', `: the folder ${dataDir} ${unwritable}`)
  const { secondFactor, of } = readSecondFactor(reader)
  const anyReader = { read: (name: string) => environment[name] || undefined, problem: reader.problem }
  const mailFrom = readMailFrom(anyReader, publicUrl.origin)
  const brand = readBrand(anyReader, mailFrom.name, dataDir)
  const metrics = reader.read('GATEHOUSE_METRICS_LISTEN')
  const cookieDomain = readCookieDomain(reader, publicUrl)
  const protectedOrigins = readProtectedOrigins(reader, publicUrl, cookieDomain)
  const providers = readProviders(anyReader, production)

  const origins = reader.list('GATEHOUSE_ORIGINS', isOrigin, 'origins like https://app.example.com')
  const passkeys = readPasskeys(reader, publicUrl, origins)

  const config = {
    production,
    publicUrl,
    listen,
    dataDir,
    databaseUrl: readDatabaseUrl(reader, dataDir),
    ...readKeys(reader, production, unwritable ? undefined : dataDir),
    admins: readAdmins(reader, production ? undefined : firstAdmin),
    dashboardUrl: readDashboardUrl(reader, publicUrl),
    origins,
    trustedProxies: reader.list('GATEHOUSE_TRUSTED_PROXIES', isNetwork, 'addresses or networks like 10.0.0.0/8'),
    protectedOrigins,
    rulesFile: readRulesFile(reader),
    cookieDomain,
    firstAdmin: production || !firstAdmin ? undefined : { username: firstAdmin, password: reader.read('GATEHOUSE_ADMIN_PASSWORD') },
    smtp: readSmtp(reader, production),
    mailFolder: join(dataDir, 'mail'),
    mailFrom: mailFrom.whole ?? senderOf(brand.name, mailFrom.address),
    mailAddress: mailFrom.address,
    brand,
    language: readLanguage(reader),
    productName: brand.name,
    secondFactor,
    passkeys,
    phishingResistance: readPhishingResistance(reader, of, passkeys),
    submitCodeWhenComplete: readSwitch(reader, 'GATEHOUSE_SUBMIT_CODE_WHEN_COMPLETE'),
    securityContact: readSecurityContact(reader),
    providers,
    shownProviders: readShownProviders(anyReader, production, providers),
    ssoProvision: readSwitch(reader, 'GATEHOUSE_SSO_PROVISION'),
    ssoPrivate: readSwitch(reader, 'GATEHOUSE_SSO_PRIVATE'),
    pushPrivate: readSwitch(reader, 'GATEHOUSE_PUSH_PRIVATE'),
    pushServers: readPushServers(anyReader, production),
    minPasswordLength: secondFactor === 'required' ? limits.password.minCodePointsWithFactor : limits.password.minCodePoints,
    breachedPasswords: readBreachedPasswords(reader),
    metricsListen:
      metrics === undefined
        ? undefined
        : reader.parse('GATEHOUSE_METRICS_LISTEN', metrics, parseListen, 'must be host:port, for example 127.0.0.1:9464'),
    hashThreads: readHashThreads(reader),
    drain: readDrain(reader),
    outageGrace: readOutageGrace(reader),
    openDoorAlarm: readOpenDoorAlarm(reader, protectedOrigins),
  }
  if (reader.problems.length > 0) throw new ConfigProblems(reader.problems)
  return config
}

const readPublicUrl = (reader: Reader, production: boolean, otherwise: string) => {
  const form = 'must be an http or https address without query, for example https://sign-in.example.com'
  const url = reader.parse('GATEHOUSE_PUBLIC_URL', otherwise, parseBaseUrl, form) ?? new URL('http://localhost:8080')
  const https = url.protocol === 'https:'
  if (production && !https) reader.problem('GATEHOUSE_PUBLIC_URL', ' must be an https address in production')
  return { origin: url.origin, path: url.pathname.replace(/\/$/, ''), https }
}

const readDatabaseUrl = (reader: Reader, dataDir: string) => {
  const form = 'must be sqlite: and a path, or postgres://user:password@host/database'
  return reader.parse('GATEHOUSE_DATABASE_URL', `sqlite:${join(dataDir, 'gatehouse.sqlite')}`, parseDatabaseUrl, form) ?? ''
}

const readKeys = (reader: Reader, production: boolean, dataDir: string | undefined) => {
  const from = {
    text: reader.read('GATEHOUSE_MASTER_KEY'),
    file: reader.read('GATEHOUSE_MASTER_KEY_FILE'),
    own: production || !dataDir ? undefined : join(dataDir, 'master.key'),
  }
  const masterKeyFile = from.text ? undefined : (from.file ?? from.own)
  // If a development server cannot write to its data folder, report only that.
  if (!production && !dataDir && !from.text && !from.file) return { masterKeys: () => [], masterKeyFile }
  const read = readMasterKeys(from)
  if ('problem' in read) reader.problems.push(read.problem)
  const masterKeys = () => {
    const again = readMasterKeys(from)
    if ('problem' in again) throw new Error(again.problem)
    return again
  }
  return { masterKeys, masterKeyFile }
}

const readAdmins = (reader: Reader, otherwise: string | undefined): ReadonlySet<string> => {
  const text = reader.read('GATEHOUSE_ADMINS')
  if (text === undefined) return new Set(otherwise && [otherwise])
  const names = text.split(',').map(canonicalUsername)
  if (!isEmailList(text) || names.includes(undefined)) reader.problem('GATEHOUSE_ADMINS', ' must be email addresses separated by commas')
  return new Set(names.filter(name => name !== undefined))
}

const readDashboardUrl = (reader: Reader, { origin, path }: Config['publicUrl']) => {
  const form = 'must be an http or https address, or a path that starts with one slash'
  const otherwise = `${path}/account`
  const target = reader.parse('GATEHOUSE_DASHBOARD_URL', otherwise, text => (isTarget(text) ? text : undefined), form) ?? otherwise
  const at = new URL(target, origin)
  if (at.origin === origin && at.pathname.replace(/\/$/, '') === path)
    reader.problem(
      'GATEHOUSE_DASHBOARD_URL',
      `: ${target} is Gatehouse’s own start page, which would redirect to itself; set the address of the dashboard, or, if Gatehouse is below a path, add the path to GATEHOUSE_PUBLIC_URL`,
    )
  return target
}

const readSmtp = (reader: Reader, production: boolean): SmtpConfig | undefined => {
  const text = reader.read('GATEHOUSE_SMTP_URL')
  if (production && !text)
    reader.problem('GATEHOUSE_SMTP_URL', ' must be set in production: without mail, users cannot reset their passwords')
  if (!text) return undefined
  return reader.parse(
    'GATEHOUSE_SMTP_URL',
    text,
    parseSmtpUrl,
    'must start with smtp:// (STARTTLS) or smtps:// and name a host, for example smtp://user:password@mail.example.com:587',
  )
}

const readLanguage = (reader: Reader): string => {
  const tags = allLanguageTags()
  const read = (text: string) => tags.find(tag => tag.toLowerCase() === text.toLowerCase())
  return reader.parse('GATEHOUSE_LANGUAGE', english.tag, read, `must be one of ${tags.join(', ')}`) ?? english.tag
}

const readSwitch = (reader: Reader, name: Name): boolean =>
  reader.parse(name, 'off', text => (text === 'on' || text === 'off' ? { on: text === 'on' } : undefined), 'must be on or off')?.on ?? false

/** Each thread takes a core and 19 MiB. Threads have a low priority, so session checks do not wait for hashes. */
const readHashThreads = (reader: Reader): number =>
  reader.parse(
    'GATEHOUSE_HASH_THREADS',
    String(availableParallelism()),
    text => (/^[1-9]\d{0,2}$/.test(text) ? Number(text) : undefined),
    'must be a whole number from 1 to 999',
  ) ?? 1

const readDrain = (reader: Reader): number => {
  const read = (text: string) => (/^\d{1,3}$/.test(text) && Number(text) <= 600 ? seconds(Number(text)) : undefined)
  return reader.parse('GATEHOUSE_DRAIN', String(limits.stop.drain / 1000), read, 'must be a whole number of seconds from 0 to 600') ?? 0
}

const readOutageGrace = (reader: Reader): number => {
  const most = limits.outage.longest / seconds(1)
  const read = (text: string) => (/^\d{1,3}$/.test(text) && Number(text) <= most ? seconds(Number(text)) : undefined)
  const grace = reader.parse('GATEHOUSE_OUTAGE_GRACE', '0', read, `must be a whole number of seconds from 0 to ${most}`) ?? 0
  if (grace > 0 && !/^postgres(ql)?:/.test(reader.read('GATEHOUSE_DATABASE_URL') ?? ''))
    reader.problem('GATEHOUSE_OUTAGE_GRACE', ' requires PostgreSQL: a SQLite database is a file of this server and has no outages')
  return grace
}

const readBreachedPasswords = (reader: Reader): string | undefined => {
  const path = reader.read('GATEHOUSE_BREACHED_PASSWORDS')
  if (path === undefined) return undefined
  try {
    checkBreachedList(path)
  } catch (error) {
    reader.problem('GATEHOUSE_BREACHED_PASSWORDS', `: ${error instanceof Error ? error.message : error}`)
  }
  return path
}

const policies: readonly string[] = ['skippable', 'required', 'off'] satisfies SecondFactorPolicy[]
const isPolicy = (text: string): text is SecondFactorPolicy => policies.includes(text)

const readSecondFactor = (reader: Reader): { secondFactor: SecondFactorPolicy; of: PhishingResistance['of'] | undefined } => {
  const form = 'must be skippable, required, phishing-resistant, phishing-resistant-administrators or off'
  const read = (text: string) => {
    if (text === 'phishing-resistant') return { secondFactor: 'required', of: 'everyone' } as const
    if (text === 'phishing-resistant-administrators') return { secondFactor: 'required', of: 'administrators' } as const
    return isPolicy(text) ? { secondFactor: text, of: undefined } : undefined
  }
  return reader.parse('GATEHOUSE_SECOND_FACTOR', 'skippable', read, form) ?? { secondFactor: 'required', of: undefined }
}

/** Reads the day, in UTC, from which users need a passkey. Without the variable they need one at once. */
const readPhishingResistance = (
  reader: Reader,
  of: PhishingResistance['of'] | undefined,
  passkeys: PasskeySettings,
): PhishingResistance | undefined => {
  const text = reader.read('GATEHOUSE_PHISHING_RESISTANT_FROM')
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text ?? '') ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  if (text !== undefined && Number.isNaN(day)) reader.problem('GATEHOUSE_PHISHING_RESISTANT_FROM', ' must be a day like 2027-03-01')
  if (text !== undefined && !of)
    reader.problem('GATEHOUSE_PHISHING_RESISTANT_FROM', ' has no effect unless GATEHOUSE_SECOND_FACTOR is phishing-resistant')
  if (of && passkeys.is === 'Off')
    reader.problem('GATEHOUSE_SECOND_FACTOR', `: no user could add the passkey that it asks for, because ${passkeys.why}`)
  return of && { of, from: text === undefined ? 0 : day }
}
