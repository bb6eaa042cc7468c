import { randomBytes } from 'node:crypto'
import { AuthOutcome, decode, ErrorBody, type OTPRequest, routes, type Shape } from '@gatehouse/wire'
import { Secret, TOTP } from 'otpauth'
import { type Answer, type Browser, type Client, jsonOf } from './client.ts'
import type { Accounts, Target } from './target.ts'
import { broken, must, notChecked } from './verdict.ts'

/** Success statuses (§8): 200 to 208, and 226. */
export const isSuccess = ({ status }: Answer) => (status >= 200 && status <= 208) || status === 226

/** A short form of a response for a row. Never quotes the body: it may contain a token. */
export const brief = (answer: Answer): string => {
  const type = String(answer.headers['content-type'] ?? 'no content type').split(';')[0]
  const body = jsonOf(answer)
  const tag = typeof body === 'object' && body !== null && 'tag' in body && typeof body.tag === 'string' ? `, tag ${body.tag}` : ''
  return `${answer.status} (${type}${tag}) to ${answer.of}`
}

/** Decodes the body of a success. @throws Broken */
export const read = <T>(of: Shape<T>, answer: Answer): T => {
  must(isSuccess(answer), `expected a success, got ${brief(answer)}`)
  const body = jsonOf(answer)
  must(body !== undefined, `the body is not JSON: ${brief(answer)}`)
  const decoded = decode(of, body)
  return decoded.ok ? decoded.value : broken(`${decoded.error} in ${brief(answer)}`)
}

/** Reads the outcome of a sign-in call, and compares its tag. @throws Broken */
export const outcomeOf = <Tag extends AuthOutcome['tag']>(answer: Answer, tag: Tag): Extract<AuthOutcome, { tag: Tag }> => {
  const outcome = read(AuthOutcome, answer)
  must(outcome.tag === tag, `expected ${tag}, got ${outcome.tag} from ${answer.of}`)
  return outcome as Extract<AuthOutcome, { tag: Tag }>
}

/** Checks a refusal: one of the statuses, and an error body (§8). @throws Broken */
export const refusedWith = (answer: Answer, ...statuses: number[]) => {
  must(statuses.includes(answer.status), `expected ${statuses.join(' or ')}, got ${brief(answer)}`)
  const body = jsonOf(answer)
  must(body !== undefined, `the error body is not JSON: ${brief(answer)}`)
  const decoded = decode(ErrorBody, body)
  must(decoded.ok, `${decoded.ok ? '' : decoded.error} in ${brief(answer)}`)
}

type Account = { username: string; password: string }

/** Creates everything that the checks of one run share. Each step runs once, and several rows use its response. */
export const createRun = (target: Target, client: Client) => {
  const steps = new Map<string, Promise<unknown>>()
  const once = <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const step = steps.get(name) ?? work()
    steps.set(name, step)
    return step as Promise<T>
  }

  const account = <Name extends keyof Accounts>(name: Name): NonNullable<Accounts[Name]> =>
    target.accounts[name] ?? notChecked(`needs the account \`${name}\``)

  /**
   * A username that no account has. One per run, because servers limit how many names a network may
   * try.
   */
  const unknown = { username: `conformance-${randomBytes(6).toString('hex')}@example.com`, password: 'not the right password' }
  /** An account's username with a wrong password. */
  const wrong = ({ username }: Account) => ({ username, password: `not ${randomBytes(12).toString('base64url')}` })

  const signIn = ({ username, password }: Account, browser: Browser = client.openBrowser()) =>
    browser.call(routes.getAuthTokenWithError, { username, password, useragent: '' })
  const otpOf = ({ username, password }: Account, more: Partial<OTPRequest> = {}): OTPRequest => ({
    otpUsername: username,
    otpPassword: password,
    ...more,
  })
  const codeOf = (secret: string, steps = 0) =>
    Number(new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 }))
  /** A code that is wrong now, and for 90 seconds before and after. */
  const wrongCodeOf = (secret: string) => {
    const near = [-3, -2, -1, 0, 1, 2, 3].map(steps => codeOf(secret, steps))
    return [111_111, 222_222, 333_333, 444_444, 555_555, 666_666, 777_777, 888_888].find(code => !near.includes(code)) ?? 999_999
  }
  /** Signs in with the password alone, and returns the token. */
  const token = async (browser: Browser) => outcomeOf(await signIn(account('password'), browser), 'AuthSuccessful').contents

  /** Any account of the file, for checks that need a username that the server knows. */
  const anyKnown = (): Account =>
    target.accounts.password ??
    target.accounts.totp ??
    target.accounts.setUp ??
    target.accounts.skip ??
    target.accounts.forcedReset ??
    notChecked('needs an account')

  return { target, client, once, account, unknown, wrong, signIn, otpOf, codeOf, wrongCodeOf, token, anyKnown }
}

/** What the checks of one run share. */
export type Run = ReturnType<typeof createRun>

/** One rule, and how to check it. */
export type Check = {
  /** A stable name, for `--only` and for scripts. */
  id: string
  /** The paragraph of the specification, or the heading of docs/wire.md for what Gatehouse adds. */
  section: `§${string}` | `wire.md: ${string}`
  /** The rule, as a sentence about the server. */
  rule: string
  /** @throws Broken, NotChecked */
  check: (run: Run) => Promise<void> | void
}
