import { routes } from '@gatehouse/wire'
import { cookies, edit, isUnknown, json, type PlantedFault, post, signIn } from './planting.ts'

/** Faults in sessions, tokens, cookies and mail requests. */
export const sessionFaults: PlantedFault[] = [
  { fault: 'cookies are not HttpOnly', named: ['cookies/http-only'], plant: { change: cookies(line => line.replace(/; HttpOnly/i, '')) } },
  {
    fault: 'cookies have no SameSite',
    named: ['cookies/same-site'],
    plant: { change: cookies(line => line.replace(/; SameSite=Lax/i, '')) },
  },
  {
    fault: 'cookies are SameSite=None',
    named: ['cookies/same-site'],
    plant: { change: cookies(line => line.replace(/SameSite=Lax/i, 'SameSite=None')) },
  },
  {
    fault: 'plowlogin sets no cookie',
    named: ['session/plowlogin', 'session/check'],
    plant: {
      change: passing => {
        if (passing.of === post(routes.plowlogin)) delete passing.headers['set-cookie']
      },
    },
  },
  {
    fault: 'any token starts a session',
    named: ['session/made-up-token', 'session/token-once', 'session/token-bound'],
    plant: {
      change: passing => {
        if (passing.of === post(routes.plowlogin) && passing.status === 401) json(passing, 200, {})
      },
    },
  },
  {
    fault: 'the token page may be stored',
    named: ['session/token-page-private'],
    plant: {
      change: passing => {
        if (passing.of.startsWith('GET /auth/page/plow/') && passing.status === 303) passing.headers['cache-control'] = 'private'
      },
    },
  },
  {
    fault: 'logout answers plain text',
    named: ['logout/self', 'responses/json'],
    plant: {
      change: passing => {
        if (passing.of !== post(routes.logoutBySelf)) return
        passing.headers['content-type'] = 'text/plain'
        passing.body = 'Signed out'
      },
    },
  },
  {
    fault: 'logout leaves the session',
    named: ['logout/ends-session'],
    plant: {
      asks: (headers, of) => {
        if (of === post(routes.logoutBySelf)) delete headers.cookie
      },
    },
  },
  {
    fault: 'a reset of an unknown address gets 404',
    named: ['mail/reset', 'mail/reset-alike'],
    plant: {
      change: passing => {
        if (passing.of === post(routes.sendPasswordResetEmail) && isUnknown(passing) && passing.status === 200)
          json(passing, 404, { error: 'no such user' })
      },
    },
  },
  {
    fault: 'a one-time link for an unknown address gets Error',
    named: ['mail/link-alike'],
    plant: {
      change: passing => {
        if (passing.of === post(routes.magiclinkSend) && isUnknown(passing) && passing.status === 200)
          passing.body = '{"tag":"Error","contents":"no such user"}'
      },
    },
  },
  {
    fault: 'a one-time link gets OK in capitals',
    named: ['mail/link', 'mail/link-redirects'],
    plant: {
      change: passing => {
        if (passing.of === post(routes.magiclinkSend) && passing.status === 200) passing.body = '{"tag":"OK"}'
      },
    },
  },
  {
    fault: 'the body contains the value of a cookie',
    named: ['cookies/not-readable'],
    plant: {
      change: edit(signIn, 'AuthSuccessful', (body, { headers }) => {
        const [, value = ''] = /=([^;]{16,})/.exec([headers['set-cookie']].flat().join('\n')) ?? []
        return body.replace(/"authTokenUserAgent":"[^"]*"/, `"authTokenUserAgent":"${value}"`)
      }),
    },
  },
  {
    fault: 'cookies are not Secure over https',
    https: true,
    named: ['cookies/secure', 'cookies/prefix'],
    plant: { change: cookies(line => line.replace(/; Secure/i, '')) },
  },
  {
    fault: 'a __Host- cookie has a Domain',
    https: true,
    named: ['cookies/prefix'],
    plant: { change: cookies(line => `${line}; Domain=example.com`) },
  },
  {
    fault: 'the token page is missing',
    named: ['session/token-page'],
    plant: {
      change: passing => {
        if (passing.of.startsWith('GET /auth/page/plow/') && passing.status === 303) passing.status = 404
      },
    },
  },
  {
    fault: 'logout by user id tells strangers which ids exist',
    named: ['logout/by-user-id-anonymous'],
    plant: {
      change: passing => {
        if (passing.of === post(routes.logoutByUserId) && passing.sent.body === '"nobody"') json(passing, 403, { error: 'no such user' })
      },
    },
  },
  {
    fault: 'logout by user id is open to strangers',
    named: ['sign-in/no-cookie-on-failure', 'logout/by-user-id-anonymous'],
    plant: {
      change: passing => {
        if (passing.of === post(routes.logoutByUserId) && passing.status === 403) json(passing, 200, true)
      },
    },
  },
]
