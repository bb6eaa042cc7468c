import { limits } from '../packages/server/src/limits.ts'
import { routes } from '../packages/wire/src/index.ts'
import type { Kind } from './timing-users.ts'

/** `audited` is the result code that the audit must contain for this class. It proves that the server treated the name as intended. */
export type Class = { name: string; kind: Kind; audited: string }

/** A call that must not reveal who has an account, and the classes of names that it must answer in the same way. */
export type Call = {
  path: string
  body: (name: string) => unknown
  classes: readonly Class[]
  /** The two classes of the control. It delays only the responses for the second class, which has an account. */
  planted: readonly [early: string, late: string]
  /** The maximum number of requests per name. One more would cause a lockout or exceed the limit for emails. */
  triesPerName: number
}

/** One kind for each importable hash algorithm. Their costs differ by milliseconds. */
const oldKinds = [
  'apr1 8',
  'argon2id 32768 2 1 16 32',
  'bcrypt 8',
  'bcrypt-sha256 7',
  'pbkdf2-sha512 20000 16 64',
  'scrypt 13 8 1 16 32',
  'sha1',
  'sha256-crypt 2000 16',
  'sha512-crypt 5000 16',
]

const mailed = (audited: string) => ({
  classes: [
    { name: 'does not exist', kind: 'no account', audited },
    { name: 'exists', kind: 'a password', audited },
    { name: 'without password', kind: 'no password', audited },
  ] as const,
  planted: ['does not exist', 'exists'] as const,
  triesPerName: limits.mail.few.most,
})

const signIn = {
  path: routes.getAuthTokenWithError.path,
  body: (username: string) => ({ username, password: 'not the right password', useragent: '' }),
  planted: ['unknown user', 'wrong password'] as const,
  triesPerName: limits.lockout.waitFrom - 2,
}

/** Sign-in when users have imported passwords of every supported algorithm. */
export const importedCalls: readonly Call[] = [
  {
    ...signIn,
    classes: [
      { name: 'unknown user', kind: 'no account', audited: 'wrong-password' },
      { name: 'wrong password', kind: 'a password', audited: 'wrong-password' },
      { name: 'locked', kind: 'a lock', audited: 'locked' },
      ...oldKinds.map(kind => ({ name: kind, kind: `imported: ${kind}`, audited: 'wrong-password' }) as const),
    ],
  },
]

export const calls: readonly Call[] = [
  {
    ...signIn,
    classes: [
      { name: 'unknown user', kind: 'no account', audited: 'wrong-password' },
      { name: 'wrong password', kind: 'a password', audited: 'wrong-password' },
      { name: 'locked', kind: 'a lock', audited: 'locked' },
      { name: 'without password', kind: 'no password', audited: 'wrong-password' },
      { name: 'forced reset', kind: 'a forced reset', audited: 'wrong-password' },
      { name: 'disabled', kind: 'a disabled password', audited: 'locked' },
    ],
  },
  { path: routes.sendPasswordResetEmail.path, body: useremail => ({ useremail }), ...mailed('PasswordReset') },
  { path: routes.magiclinkSend.path, body: email => [{ email, redirect: { tag: 'RedirectDashboard' } }], ...mailed('OneTimeLink') },
]
