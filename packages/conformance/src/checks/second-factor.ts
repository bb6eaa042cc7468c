import { randomUUID } from 'node:crypto'
import { AuthOutcome, routes, type VerifyError } from '@gatehouse/wire'
import type { Answer } from '../client.ts'
import { type Check, isSuccess, outcomeOf, type Run, read, refusedWith } from '../run.ts'
import { must } from '../verdict.ts'
import { mustLookAlike } from './sign-in.ts'

const verifyWith = '§7 verifyOTP'
const setUpWith = '§7 setupOTP'
const resetWith = '§7 resetOTP'

const mustRefuseCode = (answer: Answer) => {
  const { contents } = outcomeOf(answer, 'AuthFailureFactorError')
  const kinds: VerifyError['tag'][] = ['TOTPError', 'VerifyTOTPFactorError']
  must(kinds.includes(contents.tag), `expected ${kinds.join(' or ')} in AuthFailureFactorError, got ${contents.tag}`)
}

const mustNotSignIn = (answer: Answer) => {
  const { tag } = read(AuthOutcome, answer)
  must(tag !== 'AuthSuccessful', `expected no sign-in, got ${tag} from ${answer.of}`)
}

/**
 * Verifies one correct code per run. A second sign-in would have to wait for the app's next code.
 */
const verified = (run: Run) =>
  run.once('verified', async () => {
    const user = run.account('totp')
    await run.once('wrong code', () => wrongCode(run))
    const code = run.codeOf(user.secret)
    const browser = run.client.openBrowser()
    return { code, browser, answer: await browser.call(routes.verifyOTP, run.otpOf(user, { otpVerification: code })) }
  })
const wrongCode = (run: Run) => {
  const user = run.account('totp')
  return run.client.openBrowser().call(routes.verifyOTP, run.otpOf(user, { otpVerification: run.wrongCodeOf(user.secret) }))
}

/** The factor that the server offers at sign-in to a user without a second factor. */
const offered = (run: Run) => run.once('offered', () => run.signIn(run.account('setUp')))
const enrolled = (run: Run) =>
  run.once('enrolled', async () => {
    const user = run.account('setUp')
    const { contents: factor } = outcomeOf(await offered(run), 'AuthRequiresFactorCreation')
    const binding = factor.factorBinding
    must(binding?.tag === 'TOTPBinding', 'the offered factor has no TOTPBinding')
    const secret = binding.contents.factorTOTPBindingSecret
    const setUp = (otpVerification: number) =>
      run.client.openBrowser().call(routes.setupOTP, run.otpOf(user, { otpVerification, otpFactorUUID: factor.factorUUID }))
    const refused = await setUp(run.wrongCodeOf(secret))
    return { refused, accepted: await setUp(run.codeOf(secret)) }
  })

/** Verification of a second factor, its set-up and its reset. */
export const secondFactorChecks: Check[] = [
  {
    id: 'verify/unknown-account',
    section: verifyWith,
    rule: 'A code for an unknown account gets AuthFailureFailedLogin; null counts as an absent field',
    check: async run => {
      const { username, password } = run.unknown
      const body = { otpUsername: username, otpPassword: password, otpVerification: 123_456, otpFactorUUID: null }
      outcomeOf(await run.client.openBrowser().post(routes.verifyOTP.path, body), 'AuthFailureFailedLogin')
    },
  },
  {
    id: 'verify/wrong-code',
    section: verifyWith,
    rule: 'A wrong code gets AuthFailureFactorError with TOTPError or VerifyTOTPFactorError',
    check: async run => mustRefuseCode(await run.once('wrong code', () => wrongCode(run))),
  },
  {
    id: 'verify/no-code',
    section: verifyWith,
    rule: 'A user with an authenticator app is not signed in without a code',
    check: async run => mustNotSignIn(await run.client.openBrowser().call(routes.verifyOTP, run.otpOf(run.account('totp')))),
  },
  {
    id: 'verify/wrong-password',
    section: 'wire.md: Outcomes that must look alike',
    rule: 'A code with a wrong password looks like an unknown account',
    check: async run => {
      const call = (user: { username: string; password: string }) =>
        run.client.openBrowser().call(routes.verifyOTP, run.otpOf(user, { otpVerification: 123_456 }))
      mustLookAlike(await call(run.unknown), await call(run.wrong(run.account('totp'))), 'an unknown account and a wrong password')
    },
  },
  {
    id: 'verify/success',
    section: verifyWith,
    rule: 'The right code gets AuthSuccessful',
    check: async run => void outcomeOf((await verified(run)).answer, 'AuthSuccessful'),
  },
  {
    id: 'verify/used-code',
    section: 'wire.md: Second factors',
    rule: 'A code works once',
    check: async run => {
      const { code, answer } = await verified(run)
      outcomeOf(answer, 'AuthSuccessful')
      mustNotSignIn(await run.client.openBrowser().call(routes.verifyOTP, run.otpOf(run.account('totp'), { otpVerification: code })))
    },
  },
  {
    id: 'verify/no-skip',
    section: 'wire.md: Second factors',
    rule: 'setupOTP does not sign in a user with a verified factor',
    check: async run => {
      const skip = run.otpOf(run.account('totp'), { otpFactorUUID: randomUUID() })
      const answer = await run.client.openBrowser().call(routes.setupOTP, skip)
      if (isSuccess(answer)) mustNotSignIn(answer)
      else refusedWith(answer, 400, 401, 403, 409)
    },
  },
  {
    id: 'set-up/requires-creation',
    section: '§7 getAuthTokenWithError',
    rule: 'A user without a second factor gets AuthRequiresFactorCreation with a factor',
    check: async run => {
      const { contents } = outcomeOf(await offered(run), 'AuthRequiresFactorCreation')
      must(contents.factorStatus === 'Unverified', `the factor is ${contents.factorStatus}`)
    },
  },
  {
    id: 'set-up/binding',
    section: '§2 Factor creation page',
    rule: 'The factor has a binding URI that an authenticator app can scan, with the same secret',
    check: async run => {
      const { contents } = outcomeOf(await offered(run), 'AuthRequiresFactorCreation')
      must(contents.factorBinding?.tag === 'TOTPBinding', 'the factor has no TOTPBinding')
      const { factorTOTPBindingURI: uri, factorTOTPBindingSecret: secret, factorTOTPBindingFactorUUID } = contents.factorBinding.contents
      const parsed = URL.parse(uri)
      must(parsed?.protocol === 'otpauth:' && parsed.host === 'totp', 'factorTOTPBindingURI is not an otpauth://totp/ address')
      must(parsed.searchParams.get('secret') === secret, 'the secret in the URI is not factorTOTPBindingSecret')
      must(factorTOTPBindingFactorUUID === contents.factorUUID, 'the binding belongs to another factor')
    },
  },
  {
    id: 'set-up/wrong-code',
    section: setUpWith,
    rule: 'A wrong first code gets AuthFailureFactorError',
    check: async run => mustRefuseCode((await enrolled(run)).refused),
  },
  {
    id: 'set-up/success',
    section: setUpWith,
    rule: 'The right first code gets AuthSuccessful',
    check: async run => void outcomeOf((await enrolled(run)).accepted, 'AuthSuccessful'),
  },
  {
    id: 'set-up/skip',
    section: '§4 Factor creation and skip',
    rule: 'setupOTP without a code skips the set-up and gets AuthSuccessful',
    check: async run => {
      const user = run.account('skip')
      const { contents } = outcomeOf(await run.signIn(user), 'AuthRequiresFactorCreation')
      const answer = await run.client.openBrowser().call(routes.setupOTP, run.otpOf(user, { otpFactorUUID: contents.factorUUID }))
      outcomeOf(answer, 'AuthSuccessful')
    },
  },
  {
    id: 'reset/unknown-account',
    section: resetWith,
    rule: 'A reset for an unknown account gets AuthFailureFailedLogin',
    check: async run =>
      void outcomeOf(await run.client.openBrowser().call(routes.resetOTP, run.otpOf(run.unknown)), 'AuthFailureFailedLogin'),
  },
  {
    id: 'reset/requires-reset',
    section: resetWith,
    rule: 'A reset with the right password gets AuthRequiresFactorReset with a UUID, and no secret',
    check: async run => {
      const answer = await run.client.openBrowser().call(routes.resetOTP, run.otpOf(run.account('totp')))
      outcomeOf(answer, 'AuthRequiresFactorReset')
      must(!/otpauth:|Secret/.test(answer.text), 'the answer contains a secret')
    },
  },
]
