import { accessSync, constants, existsSync, mkdirSync } from 'node:fs'
import { isIP, isIPv6 } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { isEmailList } from '@gatehouse/wire'
import { canonicalUsername } from './accounts.ts'
import { readMasterKey } from './master-key.ts'

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
  const trustedProxies = list('GATEHOUSE_TRUSTED_PROXIES', isNetwork, 'addresses or networks like 10.0.0.0/8')

  const own = production ? undefined : join(dataDir, 'master.key')
  const key =
    own && dataDirProblem
      ? Buffer.alloc(0)
      : readMasterKey({ text: read('GATEHOUSE_MASTER_KEY'), file: read('GATEHOUSE_MASTER_KEY_FILE'), own })
  const masterKey = Buffer.isBuffer(key) ? key : wrong(key.problem, Buffer.alloc(0))

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

const isNetwork = (text: string) => {
  const [address = '', prefix, ...more] = text.split('/')
  if (isIP(address) === 0 || more.length > 0 || (prefix !== undefined && !/^\d{1,3}$/.test(prefix))) return false
  return prefix === undefined || Number(prefix) <= (isIPv6(address) ? 128 : 32)
}

/** Folder by folder, for Node's own recursive way never ends where a file system takes no folders. */
const makeFolder = (folder: string): void => {
  if (existsSync(folder)) return
  makeFolder(dirname(folder))
  mkdirSync(folder, { mode: 0o700 })
}

const makeWritable = (folder: string): string | undefined => {
  try {
    makeFolder(folder)
    accessSync(folder, constants.W_OK | constants.X_OK)
    return undefined
  } catch (error) {
    return `cannot be written (${error instanceof Error && 'code' in error ? error.code : error}); name another or give this user the right to write there`
  }
}

/** The known name that shares most with a wrong one, for a typing mistake. */
const suggestion = (name: string, known: ReadonlySet<string>) => {
  const near = [...known].find(other => withoutOrder(other) === withoutOrder(name) || other.startsWith(name) || name.startsWith(other))
  return near ? `; did you mean ${near}` : ''
}
const withoutOrder = (name: string) => name.split('').sort().join('')
