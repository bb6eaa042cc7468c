import { routes } from '@gatehouse/wire'
import type { Answer } from '../client.ts'
import { brief, type Check, isSuccess, type Run, refusedWith } from '../run.ts'
import { Broken, broken, must } from '../verdict.ts'

/** Bodies that no call accepts. */
const bodies: [what: string, body: string | Buffer][] = [
  ['an empty body', ''],
  ['null', 'null'],
  ['a number', '1e999'],
  ['a truth value', 'true'],
  ['an object without its fields', '{"nothing":"known"}'],
  ['a list of lists', '[[]]'],
  ['text that is not JSON', '{username:1}'],
  ['half a body', '{"username":"a'],
  ['two bodies', '{}{}'],
  [
    'wrong types',
    '{"username":1,"password":[],"useragent":{},"authTokenSelector":true,"authTokenToken":null,"otpUsername":7,"useremail":[]}',
  ],
  [
    'an operator in place of a text',
    '{"username":{"$ne":""},"password":{"$ne":""},"useragent":"","authTokenSelector":{"$gt":""},"authTokenToken":{}}',
  ],
  ['__proto__', '{"__proto__":{"username":"a@b.c","password":"x","useragent":""}}'],
  ['half a surrogate pair', '{"username":"a\\ud800@b.c","password":"x","useragent":"","useremail":"\\udc00"}'],
  ['U+0000', '{"username":"a\\u0000@b.c","password":"x","useragent":"","useremail":"a\\u0000@b.c"}'],
  ['bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d])],
  ['5000 nested lists', `{"username":${'['.repeat(5000)}${']'.repeat(5000)}}`],
  ['a code with a fraction', '{"otpUsername":"a@b.c","otpPassword":"x","otpVerification":1.5}'],
  ['a code as a text', '{"otpUsername":"a@b.c","otpPassword":"x","otpVerification":"123456"}'],
  ['a code with seven digits', '{"otpUsername":"a@b.c","otpPassword":"x","otpVerification":1234567}'],
  ['an id that is no UUID', '{"otpUsername":"a@b.c","otpPassword":"x","otpFactorUUID":"1234"}'],
]

/** The calls of §7 with a body whose fields are required. */
const calls = {
  getAuthTokenWithError: routes.getAuthTokenWithError,
  plowlogin: routes.plowlogin,
  sendPasswordResetEmail: routes.sendPasswordResetEmail,
  verifyOTP: routes.verifyOTP,
  setupOTP: routes.setupOTP,
  resetOTP: routes.resetOTP,
  'magiclink/send': routes.magiclinkSend,
}

/** The secret in the bodies below. No answer may repeat it. */
const canary = 'Hunter2-Canary-7f3a'

const hostile = (name: string, path: string): Check => ({
  id: `hostile/${name}`,
  section: `§7 ${name}`,
  rule: `Each of ${bodies.length} hostile bodies is refused with 400 or 422 and an error body`,
  check: async run => {
    const browser = run.client.openBrowser()
    for (const [what, body] of bodies) {
      const answer = await browser.post(path, body)
      try {
        refusedWith(answer, 400, 422)
      } catch (error) {
        if (error instanceof Broken) broken(`${what}: ${error.message}`)
        throw error
      }
    }
  },
})

const call = (run: Run, body: unknown, path = routes.getAuthTokenWithError.path) => run.client.openBrowser().post(path, body)

/** Bodies that a server must refuse, and what its errors may say. */
export const hostileChecks: Check[] = [
  ...Object.entries(calls).map(([name, { path }]) => hostile(name, path)),
  {
    id: 'errors/missing-field',
    section: '§8 Error bodies',
    rule: 'A request without a field is refused, and the error names the field or the shape',
    check: async run => {
      const answer = await call(run, { username: run.unknown.username, useragent: '' })
      refusedWith(answer, 400, 422)
      must(/password|LoginRequest/.test(answer.text), 'the error does not name the field')
    },
  },
  {
    id: 'errors/unknown-field',
    section: 'wire.md: Requests',
    rule: 'A request with an unknown field is refused',
    check: async run => refusedWith(await call(run, { ...run.unknown, useragent: '', hostile: 'x' }), 400, 422),
  },
  {
    id: 'errors/no-echo',
    section: 'wire.md: Errors',
    rule: 'An error repeats no value of the request: a field may hold a password by mistake',
    check: async run => {
      const sent = [
        { username: canary, password: [canary], useragent: '' },
        { username: 'a@b.c', password: canary, useragent: 7 },
        { [canary.repeat(4)]: canary },
        `{"username":"a@b.c","password":"${canary}`,
      ]
      for (const body of sent) must(!(await call(run, body)).text.includes(canary), 'the body repeats the password')
    },
  },
  {
    id: 'errors/too-large',
    section: 'wire.md: Errors',
    rule: 'A body of 1 MB is refused with 413, or with 400',
    check: async run => {
      const answer: Answer = await call(run, JSON.stringify({ username: 'x'.repeat(1_000_000), password: 'x', useragent: '' }))
      refusedWith(answer, 413, 400)
    },
  },
  {
    id: 'errors/unknown-path',
    section: '§8 Generic request messages',
    rule: 'A call that does not exist gets 404',
    check: async run => {
      const answer = await call(run, {}, '/auth/page/plow/noSuchCall')
      must(answer.status === 404 || answer.status === 405, `expected 404, got ${brief(answer)}`)
    },
  },
  {
    id: 'errors/still-serves',
    section: 'wire.md: Errors',
    rule: 'After all hostile bodies, the server still answers',
    check: async run => {
      const answer = await run.client.openBrowser().get(routes.featuresCheck.path)
      must(isSuccess(answer), `expected a success, got ${brief(answer)}`)
    },
  },
]
