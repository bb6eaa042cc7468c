import { randomBytes } from 'node:crypto'
import { accessSync, constants, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { isEmailList } from '@gatehouse/wire'
import { canonicalUsername } from './accounts.ts'

/** Thrown with every problem of the configuration at once, each a sentence that names its variable. */
export class ConfigProblems extends Error {
  readonly problems: string[]

  constructor(problems: string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

/** Variables whose rooms are not built yet: setting one changes nothing, and the start says so. */
const withoutEffect = [
  'GATEHOUSE_MAIL_FROM',
  'GATEHOUSE_PROTECTED_ORIGINS',
  'GATEHOUSE_COOKIE_DOMAIN',
  'GATEHOUSE_GOOGLE_CLIENT_ID',
  'GATEHOUSE_GOOGLE_CLIENT_SECRET',
  'GATEHOUSE_GOOGLE_ISSUER',
  'GATEHOUSE_AZURE_TENANT',
  'GATEHOUSE_AZURE_CLIENT_ID',
  'GATEHOUSE_AZURE_CLIENT_SECRET',
  'GATEHOUSE_AZURE_ISSUER',
  'GATEHOUSE_PAK_ISSUER',
  'GATEHOUSE_PAK_CLIENT_ID',
  'GATEHOUSE_PAK_CLIENT_SECRET',
  'GATEHOUSE_SSO_PROVISION',
] as const

const effective = [
  'GATEHOUSE_PUBLIC_URL',
  'GATEHOUSE_LISTEN',
  'GATEHOUSE_DATA_DIR',
  'GATEHOUSE_DATABASE_URL',
  'GATEHOUSE_MASTER_KEY',
  'GATEHOUSE_MASTER_KEY_FILE',
  'GATEHOUSE_SMTP_URL',
  'GATEHOUSE_ADMINS',
  'GATEHOUSE_DASHBOARD_URL',
  'GATEHOUSE_SECOND_FACTOR',
  'GATEHOUSE_ORIGINS',
  'GATEHOUSE_TRUSTED_PROXIES',
  'GATEHOUSE_ADMIN_EMAIL',
  'GATEHOUSE_ADMIN_PASSWORD',
] as const

type Name = (typeof effective)[number] | (typeof withoutEffect)[number]

export type Config = {
  production: boolean
  /** Origin and path under which browsers reach us; the path has no slash at its end. */
  publicUrl: { origin: string; path: string; https: boolean }
  listen: { host: string; port: number }
  databaseFile: string
  masterKey: Buffer
  /** Canonical usernames of the administrators. */
  admins: ReadonlySet<string>
  dashboardUrl: string
  /** Other origins whose pages may call us. */
  origins: readonly string[]
  /** Addresses or networks whose X-Forwarded-For is believed. */
  trustedProxies: readonly string[]
  /** Set for a development server: whom to create when there is no user. */
  firstAdmin: { username: string; password: string | undefined } | undefined
  /** Whether a mail server was named. */
  smtp: boolean
  /** Variables that are set and change nothing in this version. */
  withoutEffect: readonly string[]
}

/**
 * Reads the configuration from the environment (decisions §5).
 * @throws ConfigProblems with all problems at once
 */
export const readConfig = (environment: NodeJS.ProcessEnv): Config => {
  const problems: string[] = []
  const wrong = <T>(problem: string, instead: T): T => {
    problems.push(problem)
    return instead
  }
  // An empty variable is an unset one: compose files and unit files often pass it so.
  const read = (name: Name) => environment[name] || undefined

  const known = new Set<string>([...effective, ...withoutEffect])
  for (const name of Object.keys(environment).filter(name => name.startsWith('GATEHOUSE_') && !known.has(name)))
    problems.push(`${name} is not a variable of Gatehouse${suggestion(name, known)}.`)

  const production = environment.NODE_ENV === 'production'
  const listen =
    parseListen(read('GATEHOUSE_LISTEN') ?? '127.0.0.1:8080') ??
    wrong('GATEHOUSE_LISTEN must be host:port, for example 127.0.0.1:8080.', { host: '127.0.0.1', port: 8080 })
  const defaultUrl = `http://localhost:${listen.port}`
  const url =
    parseHttpUrl(read('GATEHOUSE_PUBLIC_URL') ?? defaultUrl) ??
    wrong(
      'GATEHOUSE_PUBLIC_URL must be an http or https address without query, for example https://sign-in.example.com.',
      new URL(defaultUrl),
    )
  const publicUrl = { origin: url.origin, path: url.pathname.replace(/\/+$/, ''), https: url.protocol === 'https:' }
  if (production && !publicUrl.https) problems.push('GATEHOUSE_PUBLIC_URL must be an https address in production.')

  const smtp = read('GATEHOUSE_SMTP_URL')
  if (smtp && !/^smtps?:\/\/[^/\s]+/.test(smtp)) problems.push('GATEHOUSE_SMTP_URL must start with smtp:// or smtps:// and name a host.')
  if (production && !smtp) problems.push('GATEHOUSE_SMTP_URL must be set in production: without mail nobody can reset a password.')

  // Better no start than one that lets people in without the second factor its operator asked for.
  const secondFactor = read('GATEHOUSE_SECOND_FACTOR')
  if (secondFactor === 'required' || secondFactor === 'skippable')
    problems.push(
      `GATEHOUSE_SECOND_FACTOR=${secondFactor} is not possible yet: this version has no second factor. Unset it or set it to off.`,
    )
  else if (secondFactor && secondFactor !== 'off') problems.push('GATEHOUSE_SECOND_FACTOR must be skippable, required or off.')

  const addresses = (name: 'GATEHOUSE_ADMINS' | 'GATEHOUSE_ADMIN_EMAIL') => {
    const text = read(name)
    if (text === undefined) return undefined
    const names = text.split(',').map(canonicalUsername)
    return isEmailList(text) && !names.includes(undefined)
      ? names.filter(one => one !== undefined)
      : wrong(`${name} must be ${name === 'GATEHOUSE_ADMINS' ? 'e-mail addresses separated by commas' : 'an e-mail address'}.`, [])
  }
  const firstAdmin = addresses('GATEHOUSE_ADMIN_EMAIL') ?? ['admin@example.com']
  if (firstAdmin.length > 1) problems.push('GATEHOUSE_ADMIN_EMAIL must be one e-mail address.')
  const admins = new Set(addresses('GATEHOUSE_ADMINS') ?? (production ? [] : firstAdmin))

  const dashboardUrl = read('GATEHOUSE_DASHBOARD_URL') ?? `${publicUrl.path}/account`
  if (!(/^\/(?![/\\])[^\s\\]*$/.test(dashboardUrl) || parseHttpUrl(dashboardUrl)))
    problems.push('GATEHOUSE_DASHBOARD_URL must be an http or https address, or a path that starts with one slash.')

  const dataDir = resolve(read('GATEHOUSE_DATA_DIR') ?? './data')
  const dataDirProblem = makeWritable(dataDir)
  if (dataDirProblem) problems.push(`GATEHOUSE_DATA_DIR: the folder ${dataDir} ${dataDirProblem}.`)

  const database = read('GATEHOUSE_DATABASE_URL') ?? `sqlite:${join(dataDir, 'gatehouse.sqlite')}`
  if (!/^sqlite:./.test(database))
    problems.push('GATEHOUSE_DATABASE_URL must be sqlite: and a path; this version has no other database yet.')

  const list = (name: 'GATEHOUSE_ORIGINS' | 'GATEHOUSE_TRUSTED_PROXIES', accept: (item: string) => boolean, form: string) => {
    const items =
      read(name)
        ?.split(',')
        .map(item => item.trim()) ?? []
    return items.every(accept) ? items : wrong(`${name} must be ${form}, separated by commas.`, [])
  }
  const origins = list('GATEHOUSE_ORIGINS', item => parseHttpUrl(item)?.origin === item, 'origins like https://app.example.com')
  const trustedProxies = list(
    'GATEHOUSE_TRUSTED_PROXIES',
    item => /^[0-9a-fA-F.:]+(\/\d{1,3})?$/.test(item),
    'addresses or networks like 10.0.0.0/8',
  )

  const masterKey = readMasterKey(
    read('GATEHOUSE_MASTER_KEY'),
    read('GATEHOUSE_MASTER_KEY_FILE'),
    production || dataDirProblem ? undefined : join(dataDir, 'master.key'),
    wrong,
  )

  if (problems.length > 0) throw new ConfigProblems(problems)
  return {
    production,
    publicUrl,
    listen,
    databaseFile: database.slice('sqlite:'.length),
    masterKey,
    admins,
    dashboardUrl,
    origins,
    trustedProxies,
    firstAdmin: production || !firstAdmin[0] ? undefined : { username: firstAdmin[0], password: read('GATEHOUSE_ADMIN_PASSWORD') },
    smtp: smtp !== undefined,
    withoutEffect: withoutEffect.filter(read),
  }
}

const parseListen = (text: string) => {
  const [, bracketed, plain, port] = /^(?:\[([0-9a-fA-F:]+)\]|([^:\s]+)):(\d{1,5})$/.exec(text) ?? []
  const host = bracketed ?? plain
  return host && Number(port) <= 65535 ? { host, port: Number(port) } : undefined
}

const parseHttpUrl = (text: string) => {
  const url = URL.parse(text)
  return url && /^https?:$/.test(url.protocol) && !url.search && !url.hash && !url.username ? url : undefined
}

const makeWritable = (folder: string): string | undefined => {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    accessSync(folder, constants.W_OK | constants.X_OK)
    return undefined
  } catch (error) {
    return `cannot be written (${error instanceof Error && 'code' in error ? error.code : error}); name another or give this user the right to write there`
  }
}

const readMasterKey = (
  text: string | undefined,
  file: string | undefined,
  own: string | undefined,
  wrong: (problem: string, instead: Buffer) => Buffer,
): Buffer => {
  const none = Buffer.alloc(0)
  if (text && file) return wrong('GATEHOUSE_MASTER_KEY and GATEHOUSE_MASTER_KEY_FILE are both set; set one of them.', none)
  if (file) {
    try {
      return decodeKey(readFileSync(file, 'utf8')) ?? wrong(`GATEHOUSE_MASTER_KEY_FILE: ${file} must hold ${keyForm}.`, none)
    } catch (error) {
      return wrong(
        `GATEHOUSE_MASTER_KEY_FILE: ${file} cannot be read (${error instanceof Error && 'code' in error ? error.code : error}).`,
        none,
      )
    }
  }
  if (text) return decodeKey(text) ?? wrong(`GATEHOUSE_MASTER_KEY must be ${keyForm}.`, none)
  if (!own)
    return wrong(
      `GATEHOUSE_MASTER_KEY or GATEHOUSE_MASTER_KEY_FILE must be set in production: ${keyForm}, for example from openssl rand -base64 32.`,
      none,
    )
  if (!existsSync(own)) writeFileSync(own, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'wx' })
  return decodeKey(readFileSync(own, 'utf8')) ?? wrong(`${own} must hold ${keyForm}.`, none)
}

const keyForm = 'base64 of at least 32 random bytes'

const decodeKey = (text: string) => {
  const key = Buffer.from(text.trim(), 'base64')
  return /^[A-Za-z0-9+/_-]+=*$/.test(text.trim()) && key.length >= 32 ? key : undefined
}

/** The known name that shares most with a wrong one, for a typing mistake. */
const suggestion = (name: string, known: ReadonlySet<string>) => {
  const near = [...known].find(other => withoutOrder(other) === withoutOrder(name) || other.startsWith(name) || name.startsWith(other))
  return near ? `; did you mean ${near}` : ''
}
const withoutOrder = (name: string) => name.split('').sort().join('')
