import { routes } from '@gatehouse/wire'
import type { Passing } from './fault-proxy.ts'
import { isCall, json, type PlantedFault, post, signIn } from './planting.ts'
import { rows } from './row-groups.ts'

/** Faults in errors and in refusals of hostile bodies. */
export const errorFaults: PlantedFault[] = [
  {
    fault: 'errors are plain text',
    named: [...rows.wrongMailRequests, ...rows.hostileBodies, 'errors/missing-field', 'errors/unknown-field', 'errors/shape'],
    plant: {
      change: passing => {
        if (isCall(passing) && passing.status === 400) passing.body = 'Bad Request'
      },
    },
  },
  {
    fault: 'errors have both fields of §8',
    named: [...rows.wrongMailRequests, ...rows.hostileBodies, 'errors/missing-field', 'errors/unknown-field', 'errors/shape'],
    plant: {
      change: passing => {
        if (isCall(passing) && passing.status === 400) json(passing, 400, { error: 'x', 'typed-error': { tag: 'ApiError', contents: 'x' } })
      },
    },
  },
  {
    fault: 'an error repeats the request',
    named: ['errors/no-echo'],
    plant: {
      change: passing => {
        if (passing.of === signIn && passing.status === 400)
          json(passing, 400, { error: `password: cannot read ${passing.sent.body.slice(0, 200)}` })
      },
    },
  },
  {
    fault: 'a hostile body causes a 500 with a stack',
    named: ['hostile/verifyOTP', 'errors/no-internals', 'errors/no-500'],
    plant: {
      change: passing => {
        if (passing.of === post(routes.verifyOTP) && passing.sent.body.includes('1.5'))
          json(passing, 500, { error: 'TypeError: not an integer\n    at verify (/srv/app/verify.js:10:3)' })
      },
    },
  },
  {
    fault: 'a request with an unknown field is accepted',
    named: ['errors/unknown-field'],
    plant: {
      change: passing => {
        if (passing.of === signIn && passing.sent.body.includes('"hostile"')) json(passing, 200, { tag: 'AuthFailureFailedLogin' })
      },
    },
  },
  {
    fault: 'every call answers an empty object',
    named: [
      'sign-in/unknown-account',
      'sign-in/wrong-password',
      'sign-in/success',
      'sign-in/token-times',
      'sign-in/fresh-tokens',
      'sign-in/forced-reset',
      'sign-in/no-cookie-on-failure',
      'verify/unknown-account',
      'reset/unknown-account',
      'session/plowlogin',
      'session/plowlogin-pair',
      'session/made-up-token',
      'session/token-once',
      'session/token-bound',
      'session/login-with-token',
      'session/token-page',
      'session/token-page-private',
      'session/check',
      'logout/self',
      'logout/ends-session',
      'logout/by-user-id-anonymous',
      'mail/reset-field',
      'mail/link',
      'mail/link-redirects',
      'mail/link-unknown-redirect',
      'mail/link-no-list',
      'features/all',
      'features/one',
      ...rows.foreignRequests,
      ...rows.hostileBodies,
      'errors/missing-field',
      'errors/unknown-field',
      'errors/too-large',
      'lockout/refuses',
      'lockout/alike',
    ],
    plant: {
      change: passing => {
        if (isCall(passing) || passing.of.startsWith('GET /features')) json(passing, 200, {})
      },
    },
  },
  {
    fault: 'a 429 does not say how long to wait',
    named: ['mail/link-redirects', 'mail/link-unknown-redirect', 'responses/retry-after'],
    plant: {
      change: passing => {
        if (passing.of === post(routes.magiclinkSend) && passing.sent.body.includes('SSOLogin')) json(passing, 429, { error: 'later' })
      },
    },
  },
  {
    fault: 'a body of 1 MB is accepted, and then the server is busy',
    named: ['errors/too-large', 'errors/still-serves'],
    plant: {
      change: (() => {
        let isBusy = false
        return (passing: Passing) => {
          if (passing.sent.body.length > 500_000) {
            isBusy = true
            json(passing, 200, { tag: 'AuthFailureFailedLogin' })
          } else if (isBusy && passing.of.startsWith('GET ')) json(passing, 503, { error: 'busy' })
        }
      })(),
    },
  },
  {
    fault: 'unknown paths answer 200',
    named: ['errors/unknown-path'],
    plant: {
      change: passing => {
        if (passing.status === 404) json(passing, 200, {})
      },
    },
  },
]
