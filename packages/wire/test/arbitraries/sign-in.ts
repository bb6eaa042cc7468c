import fc from 'fast-check'
import { factor, secondFactorType, verifyError } from './factors.ts'
import { afterSignIn, creationOptions, requestOptions } from './passkeys.ts'
import { any, bare, carrying, code, flag, record, time, uuid, word } from './values.ts'

const pair = { authTokenSelector: word, authTokenToken: word }
const authToken = record(pair, { authTokenUserAgent: word, authTokenExpires: time, authTokenUser: word })
export const provider = fc.constantFrom('Google', 'Azure', 'Pak')
const redirect = fc.oneof(bare('RedirectDashboard'), carrying('RedirectSSOLogin', provider))
const magicLinkRequest = record({ email: word, redirect })

/** Sign-in, providers and mailed links. */
export const signInArbitraries: Record<string, fc.Arbitrary<unknown>> = {
  AuthToken: authToken,
  PlowLoginRequest: authToken,
  AuthenticationRequest: record(pair),
  LoginRequest: record({ username: word, password: word, useragent: word }, { passkeys: flag }),
  ContinueRequest: record({}, { passkeys: flag }),
  OTPRequest: record({ otpUsername: word, otpPassword: word }, { otpVerification: code, otpFactorUUID: uuid, passkeys: flag }),
  LoginFailure: record({ reason: any, message: any }),
  AuthOutcome: fc.oneof(
    bare('AuthFailureFailedLogin', 'AuthFailureForcedReset', 'AuthRequires2FA'),
    record({ tag: fc.constant('AuthFailureFailedLogin'), passkey: fc.constantFrom('Unknown', 'Refused') }),
    carrying('AuthRequires2FA', record({ factorTypes: fc.array(secondFactorType, { maxLength: 3 }) }, { passkey: requestOptions })),
    carrying('AuthFailureFactorError', verifyError),
    carrying('AuthRequiresFactorCreation', factor),
    record({ tag: fc.constant('AuthRequiresFactorCreation'), contents: factor, passkey: creationOptions }),
    carrying('AuthRequiresFactorReset', uuid),
    carrying('AuthSuccessful', authToken),
    record({ tag: fc.constant('AuthSuccessful'), contents: authToken, passkeys: afterSignIn }),
  ),
  ErrorBody: fc.oneof(
    record({ error: any }),
    record({
      error: any,
      code: fc.constantFrom(
        'ReauthenticationRequired',
        'SecondFactorRequired',
        'AddressUnchanged',
        'TooManyRequests',
        'PasswordCommon',
        'NameTooLong',
      ),
    }),
    record({ 'typed-error': verifyError }),
  ),
  SSOProvider: provider,
  Redirect: redirect,
  MagicLinkRequest: magicLinkRequest,
  MagicLinkRequests: fc.array(magicLinkRequest, { minLength: 1, maxLength: 5 }),
  MagicLinkAnswer: fc.oneof(bare('Ok'), carrying('Error', any)),
  MagicLinkRedeemRequest: record({ selector: word, token: word }, { number: fc.constantFrom('10', '42', '99'), passkeys: flag }),
  MailWait: record({ number: fc.constantFrom('10', '42', '99') }),
  MailCodeRequest: record({ code: word }, { passkeys: flag }),
  MailLinkRequest: record({ selector: word, token: word }),
  MailLinkLookRequest: record({
    kind: fc.constantFrom('OneTimeLink', 'PasswordReset', 'FactorReset', 'EmailChange'),
    selector: word,
    token: word,
  }),
  MailLink: record({ state: fc.constantFrom('Good', 'Used', 'Expired', 'Unknown') }, { email: any, asksNumber: flag }),
  RecoveryCodeRequest: record({ otpUsername: word, otpPassword: word, otpRecoveryCode: word }, { passkeys: flag }),
  ReturnFragmentRequest: record({ returnId: word, returnFragment: fc.stringMatching(/^#[!-~]{0,60}$/) }),
  Onward: record({ to: fc.constantFrom('Dashboard', 'ReturnAddress', 'RecoveryCodes', 'Passkey'), address: any }),
  SessionCheck: record({ signedIn: flag }, { signingInAgain: flag }),
  OriginCheck: record({ pageOrigin: fc.constantFrom('Allowed', 'NotListed', 'OtherSite') }),
  Location: record({ location: any }),
  Features: fc.oneof(flag, record({ features: fc.dictionary(fc.stringMatching(/^[a-z][a-z-]{0,20}$/), flag, { noNullPrototype: true }) })),
  FeatureQuery: fc.record({ name: word }, { requiredKeys: [] }),
}
