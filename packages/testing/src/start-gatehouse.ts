import { randomBytes } from 'node:crypto'
import { openBrowser } from './browser.ts'
import type { TestCookie } from './cookies.ts'
import { createInbox, type MailFilter, type TestMail } from './mails.ts'
import { checkNode, checkOptions, checkUser, type GatehouseOptions, type TestUserOptions } from './options.ts'
import { addPasskeysTo, type PageAuthenticator, type PageWithDevTools } from './passkeys/playwright.ts'
import { authenticatorWith, newPasskeyKey, type VirtualPasskey } from './passkeys/virtual-passkey.ts'
import { startServerChild } from './server-child.ts'
import { enter } from './sign-in.ts'
import { newTotpSecret, totpCodeAt } from './totp.ts'

/** A user whom the package has created. */
export type TestUser = {
  readonly id: string
  /** In lower case, as the server writes it. */
  readonly email: string
  readonly password: string | null
  /** The secret of the authenticator app in Base32. */
  readonly totpSecret: string | undefined
  /** The authenticator that holds the user's passkey. */
  readonly passkey: VirtualPasskey | undefined
  readonly administrator: boolean
  readonly groups: readonly string[]
}

/** Options of `signIn`. */
export type SignInOptions = {
  /** `passkey`: a passkey alone. If left out: the password and the second factor, or for a user without a password, the passkey. */
  with?: 'password' | 'passkey' | undefined
  /** Required if the test has changed the password. */
  password?: string | undefined
}

/** A session of a user, as a browser has it. */
export type TestSession = {
  readonly user: TestUser
  /** For `context.addCookies` of Playwright. */
  readonly cookies: TestCookie[]
  /** For `fetch`. */
  readonly headers: { readonly cookie: string }
}

/** A running server, with the functions that tests need. */
export type Gatehouse = {
  /** The address of the server, without a trailing slash. */
  readonly url: string
  readonly users: readonly TestUser[]
  /** @throws Error that names the users, if there is no such user */
  user: (email: string) => TestUser
  addUser: (user: TestUserOptions) => Promise<TestUser>
  /** Signs a user in with the calls of the sign-in page. Each sign-in starts another session. */
  signIn: (email: string, options?: SignInOptions) => Promise<TestSession>
  /** The current code of the user's authenticator app. The server accepts it, even if it has accepted the same code before. */
  totpCode: (email: string) => Promise<string>
  /** All emails so far, the oldest first. */
  readonly mails: readonly TestMail[]
  /**
   * Returns the oldest matching email that no earlier call has returned, and waits if there is none.
   * @throws Error that lists the unread emails, if no matching email arrives in time
   */
  nextMail: (filter?: MailFilter) => Promise<TestMail>
  /**
   * Gives a Playwright page of Chromium a virtual authenticator that holds the user's passkey. Call it before the page opens the server.
   */
  addPasskeyTo: (page: PageWithDevTools, email: string) => Promise<PageAuthenticator>
  /** What the server has logged, at most 200,000 characters: one JSON object for each line. */
  log: () => string
  /** Ends the server. Its data is gone. */
  stop: () => Promise<void>
  [Symbol.asyncDispose]: () => Promise<void>
}

/** The data of a user before the server creates the user. */
const prepareUser = (options: TestUserOptions) => {
  const { email, password = randomBytes(12).toString('base64url'), secondFactor, groups = [], administrator = false } = options
  const totpSecret = secondFactor === 'totp' ? newTotpSecret() : undefined
  const key = options.passkey ? newPasskeyKey() : undefined
  return {
    known: { password, totpSecret, administrator, groups },
    key,
    seed: {
      email,
      password,
      administrator,
      groups,
      totpSecret: totpSecret ?? null,
      passkey: key ? { credentialId: key.id, publicKey: key.publicKey } : null,
    },
  }
}

/** Runs the work for one key in the order of the calls. */
const createTurns = () => {
  const last = new Map<string, Promise<unknown>>()
  return <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const mine = (last.get(key) ?? Promise.resolve()).then(work, work)
    last.set(key, mine)
    return mine
  }
}

/**
 * Starts a Gatehouse server for tests: on a free port of this machine, with a database in memory and the given users. It ends with `stop`,
 * at the end of the scope with `await using`, or when this process ends.
 * @throws TypeError for a wrong option; Error if the server cannot start, with the last lines of its log
 */
export const startGatehouse = async (options: GatehouseOptions = {}): Promise<Gatehouse> => {
  checkNode()
  const { users: wanted = [], env = {}, port, timeout = 20_000 } = checkOptions(options)
  const inbox = createInbox()
  const prepared = wanted.map(prepareUser)
  const server = await startServerChild({
    users: prepared.map(({ seed }) => seed),
    env: {
      GATEHOUSE_SECOND_FACTOR: 'off',
      GATEHOUSE_TRUSTED_PROXIES: '127.0.0.1',
      GATEHOUSE_DRAIN: '0',
      ...env,
    },
    port,
    timeout,
    caught: inbox.receive,
  })
  const { url, rpId } = server
  const { origin } = new URL(url)

  const created = (
    { known, key }: ReturnType<typeof prepareUser>,
    { id, email, passkeyHandle }: (typeof server.users)[number],
  ): TestUser => ({
    id,
    email,
    ...known,
    passkey:
      key && rpId !== null && passkeyHandle !== null ? authenticatorWith(origin, key, { rpId, userHandle: passkeyHandle }) : undefined,
  })
  const users: TestUser[] = prepared.flatMap((one, i) => {
    const seeded = server.users[i]
    return seeded ? created(one, seeded) : []
  })

  const user = (email: string): TestUser => {
    const found = users.find(one => one.email === email.trim().toLowerCase())
    if (found) return found
    const names = users.map(one => one.email).join(', ')
    throw new Error(`startGatehouse has created no user ${email}. ${names ? `There are ${names}.` : 'There are no users.'}`)
  }

  const addUser = async (one: TestUserOptions): Promise<TestUser> => {
    if (checkUser(one).administrator)
      throw new TypeError(`${one.email}: only users of startGatehouse can be administrators, because they are a setting of the server.`)
    const next = prepareUser(one)
    const added = created(next, await server.addUser(next.seed))
    users.push(added)
    return added
  }

  const totpCode = async (email: string): Promise<string> => {
    const { id, totpSecret } = user(email)
    if (totpSecret === undefined) throw new Error(`${email} has no authenticator app. Create the user with secondFactor: 'totp'.`)
    await server.acceptCodesAgain(id)
    return totpCodeAt(totpSecret, Date.now())
  }

  const inTurn = createTurns()
  /** Runs sign-ins of one user one after another, because the server would refuse a second sign-in with the same code. */
  const signIn = (email: string, { with: by, password }: SignInOptions = {}) =>
    inTurn(email.trim().toLowerCase(), async (): Promise<TestSession> => {
      const found = user(email)
      const browser = openBrowser({ address: server.address, url })
      const credentials = {
        email: found.email,
        password: password ?? found.password,
        code: found.totpSecret === undefined ? undefined : () => totpCode(email),
        passkey: found.passkey,
      }
      await enter(browser, credentials, by ?? (credentials.password === null ? 'passkey' : 'password'))
      return { user: found, cookies: browser.jar.list(), headers: { cookie: browser.jar.header() } }
    })

  return {
    url,
    users,
    user,
    addUser,
    signIn,
    totpCode,
    mails: inbox.all,
    nextMail: inbox.next,
    addPasskeyTo: async (page, email) => {
      const { passkey } = user(email)
      if (!passkey) throw new Error(`${email} has no passkey. Create the user with passkey: true.`)
      return addPasskeysTo(page, passkey.credentials())
    },
    log: server.log,
    stop: server.stop,
    [Symbol.asyncDispose]: server.stop,
  }
}
