import { routes } from '@gatehouse/wire'
import type { Passing } from './fault-proxy.ts'
import { edit, isCall, isUnknown, json, type PlantedFault, post, signIn } from './planting.ts'
import { rows } from './row-groups.ts'

/** Faults in the outcomes of sign-ins. */
export const outcomeFaults: PlantedFault[] = [
  {
    fault: 'a failed sign-in has status 401',
    named: ['sign-in/unknown-account', 'sign-in/wrong-password', 'lockout/refuses', 'lockout/alike', 'errors/shape'],
    plant: {
      change: passing => {
        if (passing.of === signIn && passing.body.includes('AuthFailureFailedLogin')) passing.status = 401
      },
    },
  },
  {
    fault: 'an unknown account has its own outcome',
    named: ['sign-in/unknown-account', 'sign-in/alike', 'sign-in/forced-reset-alike', 'lockout/alike'],
    plant: {
      change: passing => {
        if (passing.of === signIn && isUnknown(passing) && passing.status === 200) passing.body = '{"tag":"AuthFailureForcedReset"}'
      },
    },
  },
  {
    fault: 'the answer to an unknown account has one more space',
    named: ['sign-in/alike', 'sign-in/forced-reset-alike', 'lockout/alike'],
    plant: {
      change: passing => {
        if (passing.of === signIn && isUnknown(passing) && passing.status === 200) passing.body += ' '
      },
    },
  },
  {
    fault: 'the answer to an unknown account has one more header',
    named: ['sign-in/alike', 'sign-in/forced-reset-alike', 'lockout/alike'],
    plant: {
      change: passing => {
        if (passing.of === signIn && isUnknown(passing)) passing.headers['x-cache'] = 'MISS'
      },
    },
  },
  {
    fault: 'a tag is misspelled',
    named: ['sign-in/success', 'sign-in/token-times', 'sign-in/fresh-tokens', ...rows.sessionsOfTokens, 'lockout/refuses', 'lockout/alike'],
    plant: { change: edit(signIn, 'AuthSuccessful', body => body.replace('AuthSuccessful', 'AuthSuccess')) },
  },
  {
    fault: 'a tag ends in a space',
    named: ['sign-in/forced-reset'],
    plant: { change: edit(signIn, 'AuthFailureForcedReset', () => '{"tag":"AuthFailureForcedReset "}') },
  },
  {
    fault: 'the token lacks its selector',
    named: ['sign-in/success', 'sign-in/token-times', 'sign-in/fresh-tokens', ...rows.sessionsOfTokens, 'lockout/refuses', 'lockout/alike'],
    plant: { change: edit(signIn, 'AuthSuccessful', body => body.replace('authTokenSelector', 'selector')) },
  },
  {
    fault: 'the token has expired',
    named: ['sign-in/token-times'],
    plant: { change: edit(signIn, 'AuthSuccessful', body => body.replace(/"authTokenExpires":"\d{4}/, '"authTokenExpires":"2001')) },
  },
  {
    fault: 'every sign-in gets the same token',
    named: [
      'sign-in/fresh-tokens',
      'session/plowlogin',
      'session/plowlogin-pair',
      'session/login-with-token',
      'session/token-page',
      'session/check',
    ],
    plant: { change: edit(signIn, 'AuthSuccessful', body => body.replace(/"authTokenToken":"[^"]*"/, '"authTokenToken":"constant"')) },
  },
  {
    fault: 'a failure has contents',
    named: ['sign-in/unknown-account', 'sign-in/wrong-password', 'sign-in/plain-tag', 'lockout/refuses', 'lockout/alike'],
    plant: {
      change: edit(signIn, '{"tag":"AuthFailureFailedLogin"}', () => '{"tag":"AuthFailureFailedLogin","contents":["wrong password"]}'),
    },
  },
  {
    fault: 'AuthRequires2FA comes with a token',
    mode: 'skippable',
    named: ['sign-in/no-token-before-2fa'],
    plant: { change: edit(signIn, 'AuthRequires2FA', () => '{"tag":"AuthRequires2FA","authToken":"x"}') },
  },
  {
    fault: 'the offered factor has no binding',
    mode: 'skippable',
    named: ['set-up/binding', 'set-up/wrong-code', 'set-up/success'],
    plant: { change: edit(signIn, 'AuthRequiresFactorCreation', body => body.replace('"factorBinding"', '"binding"')) },
  },
  {
    fault: 'the QR code holds another secret',
    mode: 'skippable',
    named: ['set-up/binding'],
    plant: { change: edit(signIn, 'AuthRequiresFactorCreation', body => body.replace(/secret=[A-Z2-7]{4}/, 'secret=AAAA')) },
  },
  {
    fault: 'a wrong code gets a kind of error that does not exist',
    mode: 'skippable',
    named: ['verify/wrong-code', 'verify/used-code'],
    plant: { change: edit(post(routes.verifyOTP), 'TOTPError', body => body.replace('TOTPError', 'CodeError')) },
  },
  {
    fault: 'a wrong code gets the failure of a wrong password',
    mode: 'skippable',
    named: ['verify/wrong-code'],
    plant: { change: edit(post(routes.verifyOTP), 'TOTPError', () => '{"tag":"AuthFailureFailedLogin"}') },
  },
  {
    fault: 'a used code signs in again',
    mode: 'skippable',
    named: ['verify/used-code'],
    plant: {
      change: (() => {
        let success: Passing | undefined
        return (passing: Passing) => {
          if (passing.of !== post(routes.verifyOTP)) return
          if (passing.body.includes('AuthSuccessful') && passing.sent.body.includes('totp@')) success = passing
          else if (success && passing.sent.body === success.sent.body) passing.body = success.body
        }
      })(),
    },
  },
  {
    fault: 'skipping works with a verified factor',
    mode: 'skippable',
    named: ['verify/no-skip'],
    plant: {
      change: passing => {
        if (passing.of === post(routes.setupOTP) && passing.sent.body.includes('totp@'))
          json(passing, 200, { tag: 'AuthSuccessful', contents: { authTokenSelector: 'a', authTokenToken: 'b' } })
      },
    },
  },
  {
    fault: 'a factor reset answers with the factor and its secret',
    mode: 'skippable',
    named: ['reset/requires-reset'],
    plant: {
      change: edit(post(routes.resetOTP), 'AuthRequiresFactorReset', body =>
        body.replace(/"contents":("[^"]*")/, '"contents":{"factorUUID":$1,"factorTOTPBindingSecret":"ABCD"}'),
      ),
    },
  },
  {
    fault: 'logout by user id answers a text',
    mode: 'skippable',
    named: ['logout/by-user-id'],
    plant: {
      change: passing => {
        if (passing.of === post(routes.logoutByUserId) && passing.status === 200) passing.body = '"true"'
      },
    },
  },
  {
    fault: 'a locked account says so',
    named: ['lockout/alike'],
    plant: {
      change: (() => {
        let failures = 0
        return (passing: Passing) => {
          if (passing.of !== signIn || !passing.sent.body.includes('"locked@')) return
          if (passing.body.includes('Failed')) failures++
          if (failures > 10) passing.headers['retry-after'] = '30'
        }
      })(),
    },
  },
  {
    fault: 'nothing locks an account',
    named: ['lockout/refuses', 'lockout/alike'],
    plant: {
      change: (() => {
        let success = ''
        return (passing: Passing) => {
          if (passing.of !== signIn || !passing.sent.body.includes('"locked@')) return
          if (passing.body.includes('AuthSuccessful')) success = passing.body
          else if (passing.sent.body.includes('correct horse')) passing.body = success
        }
      })(),
    },
  },
  {
    fault: 'every call answers an empty object, with second factors',
    mode: 'skippable',
    named: [
      'sign-in/unknown-account',
      'sign-in/wrong-password',
      'sign-in/requires-2fa',
      'sign-in/forced-reset',
      'sign-in/no-cookie-on-failure',
      'verify/unknown-account',
      'verify/wrong-code',
      'verify/no-code',
      'verify/success',
      'verify/used-code',
      'verify/no-skip',
      'set-up/requires-creation',
      'set-up/binding',
      'set-up/wrong-code',
      'set-up/success',
      'set-up/skip',
      'reset/unknown-account',
      'reset/requires-reset',
      'session/made-up-token',
      'logout/by-user-id-anonymous',
      'logout/by-user-id',
      'mail/reset-field',
      'mail/link',
      'mail/link-redirects',
      'mail/link-unknown-redirect',
      'mail/link-no-list',
      ...rows.foreignRequests,
      ...rows.hostileBodies,
      'errors/missing-field',
      'errors/unknown-field',
      'errors/too-large',
    ],
    plant: {
      change: passing => {
        if (isCall(passing)) json(passing, 200, {})
      },
    },
  },
  {
    fault: 'a wrong password of a user with a second factor has one more space',
    mode: 'skippable',
    named: ['sign-in/alike', 'sign-in/2fa-alike', 'verify/wrong-password'],
    plant: {
      change: passing => {
        if (passing.sent.body.includes('totp@') && passing.body.includes('FailedLogin')) passing.body += ' '
      },
    },
  },
  {
    fault: 'skipping fails',
    mode: 'skippable',
    named: ['set-up/skip'],
    plant: {
      change: passing => {
        if (passing.of === post(routes.setupOTP) && passing.sent.body.includes('"skip@'))
          json(passing, 200, { tag: 'AuthFailureFailedLogin' })
      },
    },
  },
]
