/** A user to create. */
export type TestUserOptions = {
  email: string
  /** A password of any strength. Random if left out; `null` for a user without a password. */
  password?: string | null | undefined
  /** `totp`: the user has an authenticator app. */
  secondFactor?: 'totp' | undefined
  /** The user has a passkey, which signs in alone or follows the password. */
  passkey?: boolean | undefined
  /** Only users of `startGatehouse` can be administrators, because the server reads their names when it starts. */
  administrator?: boolean | undefined
  groups?: readonly string[] | undefined
}

/** Options of `startGatehouse`. */
export type GatehouseOptions = {
  users?: readonly TestUserOptions[] | undefined
  /** Settings of the server, as docs/configuration.md lists them. */
  env?: Readonly<Record<string, string>> | undefined
  /** A port of 127.0.0.1; a free one if left out. */
  port?: number | undefined
  /** How long the start may take, in milliseconds; 20,000 if left out. */
  timeout?: number | undefined
}

/** The settings that a test cannot choose, because the package sets them. Each text is the end of the error message for its setting. */
const taken: Record<string, string> = {
  GATEHOUSE_LISTEN: 'use the option port',
  GATEHOUSE_DATA_DIR: 'each server gets its own folder, which is removed',
  GATEHOUSE_DATABASE_URL: 'the database is in memory',
  GATEHOUSE_MASTER_KEY: 'each server gets its own key',
  GATEHOUSE_MASTER_KEY_FILE: 'each server gets its own key',
  GATEHOUSE_SMTP_URL: 'read mails with nextMail',
  GATEHOUSE_ADMINS: 'use the option administrator of a user',
  GATEHOUSE_ADMIN_EMAIL: 'use the option users',
  GATEHOUSE_ADMIN_PASSWORD: 'use the option users',
}

const userOptions = ['email', 'password', 'secondFactor', 'passkey', 'administrator', 'groups']
const ownOptions = ['users', 'env', 'port', 'timeout']

const refuseUnknown = (options: object, known: readonly string[], of: string) => {
  const unknown = Object.keys(options).find(name => !known.includes(name))
  if (unknown !== undefined) throw new TypeError(`${of} has no option ${unknown}. It has ${known.join(', ')}.`)
}

/** @throws TypeError that names the wrong option of a user */
export const checkUser = (user: TestUserOptions): TestUserOptions => {
  refuseUnknown(user, userOptions, 'A user')
  const { email, password, secondFactor, passkey } = user
  if (typeof email !== 'string' || !/^\S+@\S+$/.test(email))
    throw new TypeError(`A user needs an email address, and this one has ${JSON.stringify(email) ?? 'none'}.`)
  if (password === '') throw new TypeError(`${email}: the password is empty. For a user without one, set it to null.`)
  if (secondFactor !== undefined && secondFactor !== 'totp')
    throw new TypeError(`${email}: secondFactor can only be 'totp'. For a passkey, set passkey to true.`)
  if (password === null && passkey !== true) throw new TypeError(`${email} could not sign in: there is neither a password nor a passkey.`)
  return user
}

/** @throws TypeError that names the wrong option */
export const checkOptions = (options: GatehouseOptions): GatehouseOptions => {
  refuseUnknown(options, ownOptions, 'startGatehouse')
  for (const user of options.users ?? []) checkUser(user)
  for (const [name, value] of Object.entries(options.env ?? {})) {
    if (!name.startsWith('GATEHOUSE_'))
      throw new TypeError(`env cannot set ${name}: only settings of Gatehouse, which begin with GATEHOUSE_.`)
    if (name in taken) throw new TypeError(`env cannot set ${name}: ${taken[name]}.`)
    if (typeof value !== 'string') throw new TypeError(`env: the value of ${name} must be a string.`)
  }
  const { port } = options
  if (port !== undefined && !(Number.isInteger(port) && port > 0 && port < 65_536))
    throw new TypeError(`port must be a whole number from 1 to 65535, and not ${port}.`)
  return options
}

/** @throws Error on a Node that cannot run the server */
export const checkNode = (version = process.versions.node): void => {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major < 24 || (major === 24 && minor < 9))
    throw new Error(`@gatehouse/testing needs Node 24.9 or later, and this is Node ${version}.`)
}
