import { type Route, routes, socketsPath } from '@gatehouse/wire'
import { brief, type Check, isSuccess, type Run, refusedWith } from '../run.ts'
import { must, notChecked } from '../verdict.ts'

const paths = new Set(Object.values<Route>(routes).map(({ method, path }) => `${method} ${path}`))
const answersToCalls = (run: Run) => run.client.answers.filter(answer => paths.has(answer.of.split('?')[0] ?? ''))

/** Every cookie that the server has set in this run, with the call that set it. */
const cookies = (run: Run) =>
  run.client.answers.flatMap(({ of, cookies }) =>
    cookies.map(line => {
      const [pair = '', ...attributes] = line.split(';').map(part => part.trim())
      const isCleared = attributes.some(one => /^max-age=(0|-\d+)$/i.test(one) || /^expires=thu, 01 jan 1970/i.test(one))
      return { of, name: pair.split('=')[0] ?? '', attributes: attributes.map(one => one.toLowerCase()), isCleared }
    }),
  )

const everyCookie = (run: Run, rule: (cookie: ReturnType<typeof cookies>[number]) => boolean, wrong: string) => {
  const all = cookies(run)
  if (all.length === 0) notChecked('the server has set no cookie')
  for (const cookie of all) must(rule(cookie), `the cookie ${cookie.name} ${wrong} (${cookie.of})`)
}

/** Rules that every response of the run must follow. They look at what the other checks received. */
export const observedChecks: Check[] = [
  {
    id: 'cookies/http-only',
    section: 'wire.md: Cookies',
    rule: 'Every cookie is HttpOnly',
    check: run => everyCookie(run, ({ attributes }) => attributes.includes('httponly'), 'is not HttpOnly'),
  },
  {
    id: 'cookies/same-site',
    section: 'wire.md: Cookies',
    rule: 'Every cookie is SameSite=Lax or Strict',
    check: run => everyCookie(run, ({ attributes }) => attributes.some(one => /^samesite=(lax|strict)$/.test(one)), 'has no SameSite=Lax'),
  },
  {
    id: 'cookies/secure',
    section: 'wire.md: Cookies',
    rule: 'Over https, every cookie is Secure',
    check: run => {
      if (!run.target.origin.startsWith('https:')) notChecked('the origin of the calls is not https')
      everyCookie(run, ({ attributes }) => attributes.includes('secure'), 'is not Secure')
    },
  },
  {
    id: 'cookies/prefix',
    section: 'wire.md: Cookies',
    rule: 'A cookie named __Host- is Secure, has Path=/ and no Domain (RFC 6265bis §4.1.3)',
    check: run => {
      const prefixed = cookies(run).filter(({ name }) => name.startsWith('__Host-'))
      if (prefixed.length === 0) notChecked('no cookie has the prefix')
      for (const { name, attributes } of prefixed)
        must(
          attributes.includes('secure') && attributes.includes('path=/') && !attributes.some(one => one.startsWith('domain=')),
          `browsers refuse the cookie ${name}`,
        )
    },
  },
  {
    id: 'cookies/not-readable',
    section: 'wire.md: Cookies',
    rule: 'No token of a response is the value of a cookie: the page could read it',
    check: run => {
      const values = run.client.answers.flatMap(({ cookies }) => cookies.map(line => /=([^;]{16,})/.exec(line)?.[1] ?? ''))
      for (const answer of answersToCalls(run))
        for (const value of values) must(value === '' || !answer.text.includes(value), `a cookie's value is in the body of ${answer.of}`)
    },
  },
  {
    id: 'responses/json',
    section: '§7 Calls',
    rule: 'Every response to a call is application/json',
    check: run => {
      for (const answer of answersToCalls(run))
        if (answer.text !== '')
          must(/^application\/json\s*(;|$)/i.test(String(answer.headers['content-type'])), `expected JSON, got ${brief(answer)}`)
    },
  },
  {
    id: 'responses/no-store',
    section: 'wire.md: Responses',
    rule: 'No response to a sign-in call may be stored by a cache',
    check: run => {
      for (const answer of answersToCalls(run))
        if (answer.of.startsWith('POST ') && isSuccess(answer))
          must(
            /no-store/.test(String(answer.headers['cache-control'])),
            `cache-control is ${answer.headers['cache-control'] ?? 'missing'} in ${brief(answer)}`,
          )
    },
  },
  {
    id: 'responses/nosniff',
    section: 'wire.md: Responses',
    rule: 'Every response has X-Content-Type-Options: nosniff',
    check: run => {
      for (const answer of answersToCalls(run)) must(answer.headers['x-content-type-options'] === 'nosniff', `missing in ${brief(answer)}`)
    },
  },
  {
    id: 'responses/retry-after',
    section: 'wire.md: Errors',
    rule: 'Every 429 has Retry-After in whole seconds',
    check: run => {
      const early = run.client.answers.filter(({ status, of }) => status === 429 && !of.includes(socketsPath))
      if (early.length === 0) notChecked('no request got a 429; --flood makes the server limit requests')
      for (const answer of early)
        must(
          /^[1-9]\d*$/.test(String(answer.headers['retry-after'])),
          `Retry-After is ${answer.headers['retry-after'] ?? 'missing'} in ${brief(answer)}`,
        )
    },
  },
  {
    id: 'errors/no-internals',
    section: 'wire.md: Errors',
    rule: 'No error contains a stack, a path of a source file or a statement of a database',
    check: run => {
      const internals =
        /\n\s+at .+:\d+:\d+|node_modules|\bat Object\.|Traceback|SQLSTATE|\bSELECT .+ FROM\b|\/(usr|home|srv|app)\/[\w/]+\.\w+/
      for (const answer of run.client.answers) if (answer.status >= 400) must(!internals.test(answer.text), `internals in ${brief(answer)}`)
    },
  },
  {
    id: 'errors/shape',
    section: '§8 Error bodies',
    rule: 'Every 4xx and 5xx to a call has either error or typed-error',
    check: run => {
      const failures = answersToCalls(run).filter(({ status }) => status >= 400)
      if (failures.length === 0) notChecked('no call failed')
      for (const answer of failures) refusedWith(answer, answer.status)
    },
  },
  {
    id: 'errors/no-500',
    section: '§8 Generic request messages',
    rule: 'No request of this run causes a 500',
    check: run => {
      const faults = run.client.answers.filter(({ status }) => status >= 500 && status !== 503)
      must(faults.length === 0, `${faults.length} responses, the first: ${faults[0] && brief(faults[0])}`)
    },
  },
]
