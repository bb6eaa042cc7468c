import { routes } from '@gatehouse/wire'
import { type Check, type Run, refusedWith } from '../run.ts'
import { must } from '../verdict.ts'

const path = routes.getAuthTokenWithError.path
const body = (run: Run) => ({ ...run.unknown, useragent: '' })

/** Sends a sign-in with these headers, for example those of a request from another site. */
const from = (run: Run, headers: Record<string, string>) => run.client.openBrowser().post(path, body(run), headers)
/** Sends a sign-in in another content type. */
const as = (run: Run, type: string) => from(run, { 'content-type': type })

const readableBy = (headers: Record<string, unknown>, origin: string) =>
  headers['access-control-allow-origin'] === origin ||
  (headers['access-control-allow-origin'] === '*' && headers['access-control-allow-credentials'] === 'true')

/** Checks of methods, content types and origins, which stop other sites from making calls. */
export const browserRuleChecks: Check[] = [
  {
    id: 'browser/method',
    section: '§7 Calls',
    rule: 'A call takes its method only: GET gets 405 with Allow, or 404',
    check: async run => {
      const answer = await run.client.openBrowser().get(path)
      must(answer.status === 405 || answer.status === 404, `expected 405 or 404, got ${answer.status} to GET ${path}`)
      if (answer.status === 405) must(/\bPOST\b/.test(String(answer.headers.allow)), 'the header Allow does not name POST')
    },
  },
  {
    id: 'browser/json-only',
    section: 'wire.md: Requests',
    rule: 'Bodies of other content types are refused with 415: forms of other sites can send them without a preflight',
    check: async run => {
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])
        refusedWith(await as(run, type), 415, 400)
    },
  },
  {
    id: 'browser/foreign-origin',
    section: 'wire.md: Origins',
    rule: 'A call from an origin that is not listed is refused with 403',
    check: async run => {
      for (const origin of ['https://evil.example', 'null', `${run.target.url.origin}.evil.example`])
        refusedWith(await from(run, { origin }), 403)
    },
  },
  {
    id: 'browser/cross-site',
    section: 'wire.md: Origins',
    rule: 'A call that the browser calls cross-site is refused with 403, also without an Origin',
    check: async run => {
      const answer = await run.client.send({
        path,
        body: body(run),
        headers: { 'content-type': 'application/json', 'sec-fetch-site': 'cross-site' },
      })
      refusedWith(answer, 403)
    },
  },
  {
    id: 'browser/cors',
    section: 'wire.md: Origins',
    rule: 'No response lets an origin that is not listed read it, and no preflight allows one',
    check: async run => {
      for (const origin of ['https://evil.example', 'null']) {
        must(!readableBy((await from(run, { origin })).headers, origin), `${origin} may read responses`)
        const preflight = await run.client.send({
          method: 'OPTIONS',
          path,
          headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' },
        })
        must(!readableBy(preflight.headers, origin), `a preflight of ${origin} is allowed`)
      }
    },
  },
]
