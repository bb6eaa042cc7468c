import { AuthenticationRequest, encode, PlowLoginRequest, pages, routes, SessionCheck, shape } from '@gatehouse/wire'
import * as v from 'valibot'
import type { Browser } from '../client.ts'
import { brief, type Check, isSuccess, outcomeOf, type Run, read, refusedWith } from '../run.ts'
import { must, notChecked } from '../verdict.ts'

const plowlogin = '§7 plowlogin'
const handOver = 'wire.md: Hand-over code'

/** A browser that has exchanged a token for a session with plowlogin. */
const signedIn = async (run: Run) => {
  const browser = run.client.openBrowser()
  const token = await run.token(browser)
  const answer = await browser.call(routes.plowlogin, token)
  return { browser, token, answer }
}

/** Whether the server knows the session. Uses a call that Gatehouse adds, because the specification has none for this. */
const isSignedIn = async (browser: Browser) => {
  const answer = await browser.call(routes.sessionCheck, {})
  if (answer.status === 404) return notChecked('the server has no /session/check')
  return read(SessionCheck, answer).signedIn
}

const madeUp = { authTokenSelector: 'AAAAAAAAAAAAAAAAAAAAAA', authTokenToken: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }

/** Exchange of the token for a session, and the end of the session. */
export const sessionChecks: Check[] = [
  {
    id: 'session/plowlogin',
    section: plowlogin,
    rule: 'A token is exchanged with all five fields, and a cookie is set',
    check: async run => {
      const { answer } = await run.once('signed in', () => signedIn(run))
      must(isSuccess(answer), `expected a success, got ${brief(answer)}`)
      must(answer.cookies.length > 0, `no cookie is set by ${answer.of}`)
    },
  },
  {
    id: 'session/plowlogin-pair',
    section: plowlogin,
    rule: 'A token is exchanged with selector and token alone',
    check: async run => {
      const browser = run.client.openBrowser()
      const { authTokenSelector, authTokenToken } = await run.token(browser)
      const answer = await browser.post(routes.plowlogin.path, encode(PlowLoginRequest, { authTokenSelector, authTokenToken }))
      must(isSuccess(answer), `expected a success, got ${brief(answer)}`)
    },
  },
  {
    id: 'session/made-up-token',
    section: handOver,
    rule: 'A token that the server did not issue is refused with 4xx and starts no session',
    check: async run => {
      const answer = await run.client.openBrowser().call(routes.plowlogin, madeUp)
      refusedWith(answer, 400, 401, 403)
    },
  },
  {
    id: 'session/token-once',
    section: handOver,
    rule: 'A token works once: another browser that has seen it gets no session',
    check: async run => {
      const { token } = await run.once('signed in', () => signedIn(run))
      refusedWith(await run.client.openBrowser().call(routes.plowlogin, token), 400, 401, 403)
    },
  },
  {
    id: 'session/token-bound',
    section: handOver,
    rule: 'An unused token works only in the browser that signed in',
    check: async run => {
      const token = await run.token(run.client.openBrowser())
      refusedWith(await run.client.openBrowser().call(routes.plowlogin, token), 400, 401, 403)
    },
  },
  {
    id: 'session/login-with-token',
    section: '§4 Factor verification',
    rule: 'The login-with-token call exchanges selector and token',
    check: async run => {
      const browser = run.client.openBrowser()
      const { authTokenSelector, authTokenToken } = await run.token(browser)
      const answer = await browser.post(routes.loginWithToken.path, encode(AuthenticationRequest, { authTokenSelector, authTokenToken }))
      if (answer.status === 404) notChecked('the server has no loginWithToken; the specification does not name its path')
      must(isSuccess(answer), `expected a success, got ${brief(answer)}`)
    },
  },
  {
    id: 'session/token-page',
    section: '§2 Login page',
    rule: 'After plowlogin, /auth/page/plow/{selector}/{token} answers with a page or a redirect',
    check: async run => {
      const { browser, token } = await run.once('signed in', () => signedIn(run))
      const answer = await run.once('token page', () =>
        browser.get(pages.token(token.authTokenSelector, token.authTokenToken), { accept: 'text/html' }),
      )
      must(answer.status < 400, `expected a page or a redirect, got ${answer.status} to the token page`)
    },
  },
  {
    id: 'session/token-page-private',
    section: handOver,
    rule: 'The token page is not stored, and sends no Referer with the token',
    check: async run => {
      const { browser, token } = await run.once('signed in', () => signedIn(run))
      const { headers } = await run.once('token page', () =>
        browser.get(pages.token(token.authTokenSelector, token.authTokenToken), { accept: 'text/html' }),
      )
      must(/no-store/.test(String(headers['cache-control'])), `cache-control is ${headers['cache-control'] ?? 'missing'}`)
      must(
        /no-referrer|same-origin/.test(String(headers['referrer-policy'])),
        `referrer-policy is ${headers['referrer-policy'] ?? 'missing'}`,
      )
    },
  },
  {
    id: 'session/check',
    section: 'wire.md: Sessions',
    rule: 'The session exists after plowlogin, and in no other browser',
    check: async run => {
      const { browser } = await run.once('signed in', () => signedIn(run))
      must(await isSignedIn(browser), 'signedIn is false after plowlogin')
      must(!(await isSignedIn(run.client.openBrowser())), 'signedIn is true without a cookie')
    },
  },
  {
    id: 'logout/self',
    section: '§7 logout/by/self',
    rule: 'Logout by oneself answers a JSON string',
    check: async run => void read(shape('String', v.string()), (await signedOut(run)).answer),
  },
  {
    id: 'logout/ends-session',
    section: 'wire.md: Sessions',
    rule: 'Logout ends the session on the server: the old cookie is worth nothing',
    check: async run => {
      const { cookie } = await signedOut(run)
      const answer = await run.client.openBrowser().post(routes.sessionCheck.path, {}, { cookie })
      if (answer.status === 404) notChecked('the server has no /session/check')
      must(!read(SessionCheck, answer).signedIn, 'signedIn is true with the cookie of the session that ended')
    },
  },
  {
    id: 'logout/by-user-id-anonymous',
    section: '§7 logout/by/user-id',
    rule: 'Logout by user id is refused without a session, alike for every id',
    check: async run => {
      const browser = run.client.openBrowser()
      const [one, other] = [
        await browser.post(routes.logoutByUserId.path, '"nobody"'),
        await browser.post(routes.logoutByUserId.path, `"${run.target.userId ?? 'else'}"`),
      ]
      refusedWith(one, 401, 403)
      must(one.status === other.status && one.text === other.text, 'the answers for two ids differ')
    },
  },
  {
    id: 'logout/by-user-id',
    section: '§7 logout/by/user-id',
    rule: 'Logout by user id answers true to an administrator',
    check: async run => {
      const { secret, ...user } = run.account('administrator')
      const userId = run.target.userId ?? notChecked('needs `userId`')
      const browser = run.client.openBrowser()
      outcomeOf(await run.signIn(user, browser), 'AuthRequires2FA')
      const answer = await browser.call(routes.verifyOTP, run.otpOf(user, { otpVerification: run.codeOf(secret) }))
      await browser.call(routes.plowlogin, outcomeOf(answer, 'AuthSuccessful').contents)
      must(read(shape('Boolean', v.boolean()), await browser.call(routes.logoutByUserId, userId)), 'the answer is false')
    },
  },
]

const signedOut = (run: Run) =>
  run.once('signed out', async () => {
    const { browser } = await signedIn(run)
    const cookie = browser.cookie()
    return { cookie, answer: await browser.call(routes.logoutBySelf, {}) }
  })
