import { accountRoutes, approverRoutes, pages, routes } from '@gatehouse/wire'
import { expect } from 'vitest'
import { seconds } from '../../src/limits.ts'
import {
  type Answer,
  bindingOf,
  type Client,
  type Credentials,
  codeAt,
  type Deployment,
  enroll,
  mailedLink,
  otp,
  outcomeOf,
  signIn,
} from '../credentials/deployment.ts'
import { beginDevice, enrollDeviceIn, requestApprovalIn } from '../credentials/deployment-device.ts'

const newEmail = 'ada.lovelace@example.com'
/** The number of requests that race for one token. */
export const parallel = 200

/** A one-time token: a call that uses it, the cookies for the call, and its outcome. */
type Once = { jar: ReadonlyMap<string, string>; use: (client: Client, n: number) => Promise<string> }
type Prepare = (deployment: Deployment, user: Credentials) => Promise<Once>

/** A call whose status tells success from refusal. */
const byStatus = (answer: Answer, success: number, refusal: number) =>
  answer.status === success ? 'used' : answer.status === refusal ? 'refused' : strange(answer)

/** 503 with Retry-After: no hashing slot or database connection was free. Nothing was done, and the client must retry. */
const strange = ({ status, body, retryAfter }: Answer) => (status === 503 && retryAfter ? 'later' : `${status} ${JSON.stringify(body)}`)

/** A sign-in call whose refusals have exactly these outcomes. */
export const byOutcome = (answer: Answer, success: string[], refusals: object[]) => {
  if (answer.status !== 200) return strange(answer)
  const { tag } = outcomeOf(answer)
  if (success.includes(tag)) return 'used'
  return refusals.some(refusal => JSON.stringify(refusal) === JSON.stringify(answer.body)) ? 'refused' : strange(answer)
}
const failedLogin = { tag: 'AuthFailureFailedLogin' }
export const factorError = (contents: object) => ({ tag: 'AuthFailureFactorError', contents })
const totpError = (status: string) => factorError({ tag: 'TOTPError', contents: { status, reason: { tag: 'InvalidCode' } } })
export const missingFactor = (contents: string) =>
  factorError({ tag: 'DatabaseError', contents: { tag: 'MissingFactorByFactorUUID', contents } })
/** A used code is refused like a wrong one. The fifth in a row is denied; after it, the server checks no code for a while. */
const wrongCode = [totpError('Pending'), totpError('Denied')]
/** A password attempt is counted before it is checked, so concurrent attempts after the tenth are refused. */
const wrongCodeOrLocked = [...wrongCode, failedLogin]

const askForLink = async (deployment: Deployment, user: Credentials) => {
  const sent = await deployment.open().post(routes.magiclinkSend.path, [{ email: user.username, redirect: { tag: 'RedirectDashboard' } }])
  expect(sent).toMatchObject({ status: 200, body: { tag: 'Ok' } })
  return mailedLink(deployment, user.username, 'one-time-link')
}

/** Completes a sign-in with a new authenticator, after which the user may create recovery codes. */
const enter = async (deployment: Deployment, user: Credentials) => {
  const enrolled = await enroll(deployment, user)
  expect(await enrolled.client.post(routes.plowlogin.path, enrolled.token)).toMatchObject({ status: 200 })
  return enrolled
}
const makeRecoveryCodes = async (client: Client) => {
  const { status, body } = await client.post(accountRoutes.userRecoveryCodes.path, {})
  expect(status).toBe(200)
  return Object(body).recoveryCodes as string[]
}

export const kinds: Record<string, Prepare> = {
  'hand-over, by its two calls': async (deployment, user) => {
    const { client, token } = await enroll(deployment, user)
    const { authTokenSelector, authTokenToken } = token
    const use = async (copy: Client, n: number) =>
      byStatus(await copy.post(routes[n % 2 ? 'plowlogin' : 'loginWithToken'].path, { authTokenSelector, authTokenToken }), 200, 401)
    return { jar: client.jar, use }
  },

  'hand-over, by the token page': async (deployment, user) => {
    const { client, token } = await enroll(deployment, user)
    const page = pages.token(token.authTokenSelector, token.authTokenToken)
    return { jar: client.jar, use: async copy => byStatus(await copy.get(page), 303, 410) }
  },

  'one-time link': async (deployment, user) => {
    const link = await askForLink(deployment, user)
    const use = async (client: Client) =>
      byOutcome(await client.post(routes.magiclinkRedeem.path, link), ['AuthRequiresFactorCreation'], [failedLogin])
    return { jar: new Map(), use }
  },

  'password reset link': async (deployment, user) => {
    await deployment.open().post(routes.sendPasswordResetEmail.path, { useremail: user.username })
    const { selector, token } = await mailedLink(deployment, user.username, 'new-password')
    const use = async (client: Client, n: number) => {
      const newpassword = `a new password, number ${n}`
      const reset = { username: user.username, resettoken: `${selector}.${token}`, newpassword, newpasswordverification: newpassword }
      return byStatus(await client.post(routes.resetPassword.path, reset), 200, 410)
    }
    return { jar: new Map(), use }
  },

  'factor reset link': async (deployment, user) => {
    await enroll(deployment, user)
    expect(outcomeOf(await deployment.open().post(routes.resetOTP.path, otp(user, null)))).toMatchObject({ tag: 'AuthRequiresFactorReset' })
    const link = await mailedLink(deployment, user.username, 'new-factor')
    const use = async (client: Client) =>
      byOutcome(await client.post(routes.newFactor.path, link), ['AuthRequiresFactorCreation'], [failedLogin])
    return { jar: new Map(), use }
  },

  'link of a new email address': async (deployment, user) => {
    const { client } = await enter(deployment, user)
    const asked = await client.post(accountRoutes.userEmailChange.path, { newemail: newEmail, password: user.password })
    expect(asked).toMatchObject({ status: 200 })
    const link = await mailedLink(deployment, newEmail, 'confirm-email')
    return { jar: new Map(), use: async copy => byStatus(await copy.post(accountRoutes.userEmailConfirm.path, link), 200, 410) }
  },

  'TOTP step, with the password': async (deployment, user) => {
    const { nextCode } = await enroll(deployment, user)
    const code = await nextCode()
    const use = async (client: Client) =>
      byOutcome(await client.post(routes.verifyOTP.path, otp(user, code)), ['AuthSuccessful'], wrongCodeOrLocked)
    return { jar: new Map(), use }
  },

  'TOTP step, with a ticket': async (deployment, user) => {
    const { nextCode } = await enroll(deployment, user)
    const client = deployment.open()
    expect(outcomeOf(await client.post(routes.magiclinkRedeem.path, await askForLink(deployment, user)))).toEqual({
      tag: 'AuthRequires2FA',
    })
    const code = await nextCode()
    const nobody = { username: '', password: '' }
    const use = async (copy: Client) =>
      byOutcome(await copy.post(routes.verifyOTP.path, otp(nobody, code)), ['AuthSuccessful'], [...wrongCode, failedLogin])
    return { jar: client.jar, use }
  },

  'ticket, with a different recovery code for each request': async (deployment, user) => {
    const { client } = await enter(deployment, user)
    const codes = await makeRecoveryCodes(client)
    const visitor = deployment.open()
    expect(outcomeOf(await visitor.post(routes.magiclinkRedeem.path, await askForLink(deployment, user)))).toEqual({
      tag: 'AuthRequires2FA',
    })
    const use = async (copy: Client, n: number) => {
      const request = { otpUsername: '', otpPassword: '', otpRecoveryCode: codes[n % codes.length] }
      return byOutcome(await copy.post(routes.recoveryCode.path, request), ['AuthSuccessful'], [...wrongCode, failedLogin])
    }
    return { jar: visitor.jar, use }
  },

  'recovery code': async (deployment, user) => {
    const { client } = await enter(deployment, user)
    const [otpRecoveryCode] = await makeRecoveryCodes(client)
    const request = { otpUsername: user.username, otpPassword: user.password, otpRecoveryCode }
    const use = async (copy: Client) => byOutcome(await copy.post(routes.recoveryCode.path, request), ['AuthSuccessful'], wrongCodeOrLocked)
    return { jar: new Map(), use }
  },

  'first code of a new factor': async (deployment, user) => {
    const { factorUUID, secret } = bindingOf(await signIn(deployment.open(), user))
    const request = otp(user, await codeAt(secret, deployment.now()), factorUUID)
    const use = async (client: Client) =>
      byOutcome(await client.post(routes.setupOTP.path, request), ['AuthSuccessful'], [missingFactor(factorUUID), failedLogin])
    return { jar: new Map(), use }
  },

  'link that enrols a device': async (deployment, user) => {
    const { client } = await enter(deployment, user)
    const { enrolment } = await beginDevice(client, user)
    return { jar: new Map(), use: async copy => byStatus(await copy.post(approverRoutes.enrol.path, enrolment), 200, 410) }
  },

  'push answer': async (deployment, user) => {
    const { client } = await enter(deployment, user)
    const device = await enrollDeviceIn(deployment, client, user)
    const asked = await requestApprovalIn(deployment.open(), user)
    const answer = await device.approval(asked.challengeUUID, asked.challengeNumber)
    return { jar: new Map(), use: async copy => byStatus(await copy.post(approverRoutes.answer.path, answer), 200, 409) }
  },

  'push approval, with a ticket': async (deployment, user) => {
    const { client } = await enter(deployment, user)
    const device = await enrollDeviceIn(deployment, client, user)
    const visitor = deployment.open()
    await visitor.post(routes.magiclinkRedeem.path, await askForLink(deployment, user))
    const nobody = { username: '', password: '' }
    const asked = await requestApprovalIn(visitor, nobody)
    await device.approve(asked.challengeUUID, asked.challengeNumber)
    const noApproval = factorError({ tag: 'DatabaseError', contents: { tag: 'NoApprovedChallenges' } })
    const use = async (copy: Client) =>
      byOutcome(await copy.post(routes.verifyOTP.path, otp(nobody, null)), ['AuthSuccessful'], [noApproval, failedLogin])
    return { jar: visitor.jar, use }
  },

  'right to make recovery codes': async (deployment, user) => {
    const { client } = await enter(deployment, user)
    return { jar: client.jar, use: async copy => byStatus(await copy.post(accountRoutes.userRecoveryCodes.path, {}), 200, 403) }
  },
}

export const ready = async (name: string, deployment: Deployment, user: Credentials): Promise<Once> => {
  const once = await kinds[name]?.(deployment, user)
  if (!once) throw new Error(`no kind ${name}`)
  return once
}

/** Sends all requests at once, retries those that got 503, and counts the outcomes. */
export const race = async (deployment: Deployment, { jar, use }: Once, many = parallel) => {
  const come = async (n: number) => {
    for (let tries = 0; tries < 20; tries++) {
      const got = await use(deployment.open(jar), n)
      if (got !== 'later') return got
      await new Promise(resolve => setTimeout(resolve, seconds(Math.random() * 2)))
    }
    return 'later'
  }
  const answers = await Promise.all(Array.from({ length: many }, (_, n) => come(n)))
  return Object.fromEntries(Object.entries(Object.groupBy(answers, answer => answer)).map(([name, list]) => [name, list?.length]))
}
export const oneOfAll = { used: 1, refused: parallel - 1 }
