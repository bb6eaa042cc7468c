import { limits } from '../packages/server/src/limits.ts'
import { routes } from '../packages/wire/src/index.ts'
import type { Kind } from './people.ts'

/** What the audit says of a try shows that a class was what it is said to be. */
export type Class = { name: string; kind: Kind; audited: string }

/** A call that must not tell who has an account, and the classes of names that it must answer alike. */
export type Call = {
  path: string
  body: (name: string) => unknown
  classes: readonly Class[]
  /** The two of them between which the control plants its leak: who is answered early, and who is not. */
  planted: readonly [early: string, late: string]
  /** How often one name may be tried: the next would be answered in another way, or granted in another. */
  triesPerName: number
}

const mailed = (audited: string) => ({
  classes: [
    { name: 'does not exist', kind: 'nobody', audited },
    { name: 'exists', kind: 'a password', audited },
    { name: 'without password', kind: 'no password', audited },
  ] as const,
  planted: ['does not exist', 'exists'] as const,
  triesPerName: limits.mail.few.most,
})

export const calls: readonly Call[] = [
  {
    path: routes.getAuthTokenWithError.path,
    body: username => ({ username, password: 'not the right password', useragent: '' }),
    classes: [
      { name: 'unknown user', kind: 'nobody', audited: 'wrong-password' },
      { name: 'wrong password', kind: 'a password', audited: 'wrong-password' },
      { name: 'locked', kind: 'a lock', audited: 'locked' },
      { name: 'without password', kind: 'no password', audited: 'wrong-password' },
      { name: 'forced reset', kind: 'a forced reset', audited: 'wrong-password' },
      { name: 'disabled', kind: 'a disabled password', audited: 'locked' },
    ],
    planted: ['unknown user', 'wrong password'],
    triesPerName: limits.lockout.waitFrom - 2,
  },
  { path: routes.sendPasswordResetEmail.path, body: useremail => ({ useremail }), ...mailed('PasswordReset') },
  { path: routes.magiclinkSend.path, body: email => [{ email, redirect: { tag: 'RedirectDashboard' } }], ...mailed('OneTimeLink') },
]
