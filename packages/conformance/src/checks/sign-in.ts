import { routes } from '@gatehouse/wire'
import { type Answer, jsonOf } from '../client.ts'
import { brief, type Check, outcomeOf, type Run } from '../run.ts'
import { must } from '../verdict.ts'

const signInWith = '§7 getAuthTokenWithError'

const unknownAccount = (run: Run) => run.once('unknown account', () => run.signIn(run.unknown))
const wrongPassword = (run: Run) => run.once('wrong password', () => run.signIn(run.wrong(run.anyKnown())))
const forcedReset = (run: Run) => run.once('forced reset', () => run.signIn(run.account('forcedReset')))
const needsFactor = (run: Run) => run.once('needs a factor', () => run.signIn(run.account('totp')))

/** Headers that may differ between two identical answers. */
const varying = new Set(['date', 'x-request-id', 'set-cookie', 'keep-alive', 'connection', 'age', 'etag'])

/** What an attacker can compare in a response: status, headers that do not vary, cookie names and attributes, and the body. */
const visible = ({ status, headers, cookies, text }: Answer) => ({
  status,
  headers: Object.entries(headers)
    .filter(([name]) => !varying.has(name) && !/^(x-)?ratelimit/.test(name))
    .map(([name, value]) => `${name}: ${value}`)
    .sort(),
  cookies: cookies
    .map(
      cookie =>
        `${cookie.split('=')[0]};${cookie
          .split(';')
          .slice(1)
          .join(';')
          .replace(/expires=[^;]*/i, 'expires')}`,
    )
    .sort(),
  text,
})

/** @throws Broken if two responses differ in anything that an attacker sees */
export const mustLookAlike = (one: Answer, other: Answer, what: string) => {
  const [a, b] = [visible(one), visible(other)]
  for (const part of ['status', 'headers', 'cookies', 'text'] as const)
    must(
      JSON.stringify(a[part]) === JSON.stringify(b[part]),
      `${what} differ in ${part === 'text' ? 'the bytes of the body' : `the ${part}`}`,
    )
}

/** Sign-in with a password, and its outcomes. */
export const signInChecks: Check[] = [
  {
    id: 'sign-in/unknown-account',
    section: signInWith,
    rule: 'A sign-in to an unknown account gets AuthFailureFailedLogin',
    check: async run => void outcomeOf(await unknownAccount(run), 'AuthFailureFailedLogin'),
  },
  {
    id: 'sign-in/wrong-password',
    section: signInWith,
    rule: 'A wrong password gets AuthFailureFailedLogin',
    check: async run => void outcomeOf(await wrongPassword(run), 'AuthFailureFailedLogin'),
  },
  {
    id: 'sign-in/alike',
    section: 'wire.md: Outcomes that must look alike',
    rule: 'An unknown account and a wrong password get the same status, headers, cookie names and bytes',
    check: async run => mustLookAlike(await unknownAccount(run), await wrongPassword(run), 'an unknown account and a wrong password'),
  },
  {
    id: 'sign-in/success',
    section: signInWith,
    rule: 'The right password gets AuthSuccessful with selector and token',
    check: async run => {
      const { contents } = outcomeOf(await run.once('success', () => run.signIn(run.account('password'))), 'AuthSuccessful')
      must(contents.authTokenSelector !== '' && contents.authTokenToken !== '', 'selector or token is empty')
    },
  },
  {
    id: 'sign-in/token-times',
    section: '§3 AuthToken',
    rule: 'If the token names its expiry, that is in the future; if it names a user, the id is not empty',
    check: async run => {
      const answer = await run.once('success', () => run.signIn(run.account('password')))
      const { authTokenExpires, authTokenUser } = outcomeOf(answer, 'AuthSuccessful').contents
      must(authTokenExpires == null || Date.parse(authTokenExpires) > Date.now() - 30_000, 'authTokenExpires is in the past')
      must(authTokenUser !== '', 'authTokenUser is empty')
    },
  },
  {
    id: 'sign-in/fresh-tokens',
    section: 'wire.md: Hand-over code',
    rule: 'Two sign-ins get different tokens',
    check: async run => {
      const [one, other] = [await run.token(run.client.openBrowser()), await run.token(run.client.openBrowser())]
      must(one.authTokenToken !== other.authTokenToken, 'both tokens are the same')
    },
  },
  {
    id: 'sign-in/requires-2fa',
    section: signInWith,
    rule: 'The right password of a user with an authenticator app gets AuthRequires2FA',
    check: async run => void outcomeOf(await needsFactor(run), 'AuthRequires2FA'),
  },
  {
    id: 'sign-in/no-token-before-2fa',
    section: '§4 Sign-in',
    rule: 'AuthRequires2FA carries no token',
    check: async run => {
      const answer = await needsFactor(run)
      must(!answer.text.includes('authToken'), `the body contains a token: ${brief(answer)}`)
    },
  },
  {
    id: 'sign-in/forced-reset',
    section: signInWith,
    rule: 'The right password after a forced reset gets AuthFailureForcedReset',
    check: async run => void outcomeOf(await forcedReset(run), 'AuthFailureForcedReset'),
  },
  {
    id: 'sign-in/forced-reset-alike',
    section: 'wire.md: Outcomes that must look alike',
    rule: 'A wrong password after a forced reset looks like an unknown account',
    check: async run => {
      const answer = await run.signIn(run.wrong(run.account('forcedReset')))
      mustLookAlike(await unknownAccount(run), answer, 'an unknown account and an account with a forced reset')
    },
  },
  {
    id: 'sign-in/2fa-alike',
    section: 'wire.md: Outcomes that must look alike',
    rule: 'A wrong password of a user with a second factor looks like an unknown account',
    check: async run => {
      const answer = await run.signIn(run.wrong(run.account('totp')))
      mustLookAlike(await unknownAccount(run), answer, 'an unknown account and an account with a second factor')
    },
  },
  {
    id: 'sign-in/plain-tag',
    section: '§3 Encoding',
    rule: 'An outcome without a payload omits contents, or sends null or an empty list',
    check: async run => {
      const answer = await unknownAccount(run)
      const body = jsonOf(answer)
      const contents = typeof body === 'object' && body !== null && 'contents' in body ? body.contents : undefined
      must(contents == null || (Array.isArray(contents) && contents.length === 0), `contents is not empty in ${brief(answer)}`)
    },
  },
  {
    id: 'sign-in/no-cookie-on-failure',
    section: 'wire.md: Cookies',
    rule: 'A failed sign-in starts no session',
    check: async run => {
      const browser = run.client.openBrowser()
      await run.signIn(run.unknown, browser)
      const answer = await browser.post(routes.logoutByUserId.path, '"nobody"')
      must(answer.status >= 400, `a call for signed-in users got ${brief(answer)}`)
    },
  },
]
