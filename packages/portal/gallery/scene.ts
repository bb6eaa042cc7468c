import type { Api, SignInOptions } from '@gatehouse/sign-in'
import type { AuthOutcome, ErrorCode, FactorType, VerifyError } from '@gatehouse/wire'
import type { ReactNode } from 'react'
import type { PasskeyApi } from '../../sign-in/src/calls/passkey-api.ts'
import type { PushApi } from '../../sign-in/src/calls/push-api.ts'

/** A page in one of its states, or a component. */
export type Scene = {
  /** Also part of the scene's address. */
  name: string
} & (
  | {
      /** The server's answers. Other calls never end. */
      api: Partial<Api> & { push?: PushApi; passkeys?: PasskeyApi }
      /** How the widget starts, if not with an empty login page. */
      begin?: SignInOptions
      /** How this browser signed in before. */
      lastMethod?: string
      /** The user's steps to this state. */
      act?: () => Promise<void>
    }
  | { draw: () => ReactNode; act?: () => Promise<void> }
)

export type Group = { name: string; scenes: Scene[] }

const factorUUID = '7c9e6679-7425-40de-944b-e07fc1f90ae7'
const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'

export const success: AuthOutcome = { tag: 'AuthSuccessful', contents: { authTokenSelector: 'selector', authTokenToken: 'token' } }
export const failedLogin: AuthOutcome = { tag: 'AuthFailureFailedLogin' }
export const needsCode: AuthOutcome = { tag: 'AuthRequires2FA' }
/** For a user with these types of second factors. */
export const needsFactorOf = (...factorTypes: FactorType[]): AuthOutcome => ({ tag: 'AuthRequires2FA', contents: { factorTypes } })
export const needsReset = { tag: 'AuthRequiresFactorReset', contents: factorUUID } as const satisfies AuthOutcome
export const factorError = (contents: VerifyError): AuthOutcome => ({ tag: 'AuthFailureFactorError', contents })
export const needsFactor = {
  tag: 'AuthRequiresFactorCreation',
  contents: {
    factorUUID,
    factorIdentity: 'u_1',
    factorBinding: {
      tag: 'TOTPBinding',
      contents: {
        factorTOTPBindingFactorUUID: factorUUID,
        factorTOTPBindingSecret: secret,
        factorTOTPBindingAlg: 'SHA1',
        factorTOTPBindingURI: `otpauth://totp/Gatehouse:ada%40example.com?secret=${secret}&issuer=Gatehouse&algorithm=SHA1&digits=6&period=30`,
      },
    },
    factorFriendlyName: 'Authenticator app',
    factorStatus: 'Unverified',
    factorFactorType: 'TOTP',
    factorDateCreated: '2026-11-20T03:00:00Z',
  },
} satisfies AuthOutcome

/** A factor whose binding URI is too long for a QR code. */
export const tooLongToScan: AuthOutcome = {
  tag: 'AuthRequiresFactorCreation',
  contents: {
    ...needsFactor.contents,
    factorBinding: {
      tag: 'TOTPBinding',
      contents: {
        ...needsFactor.contents.factorBinding.contents,
        factorTOTPBindingURI: `${needsFactor.contents.factorBinding.contents.factorTOTPBindingURI}&image=${'x'.repeat(3000)}`,
      },
    },
  },
}

/** A factor without a QR code. */
export const withoutBinding: AuthOutcome = {
  tag: 'AuthRequiresFactorCreation',
  contents: { ...needsFactor.contents, factorBinding: undefined },
}

/** A push factor of a server with its own app. */
export const onDevice: AuthOutcome = {
  tag: 'AuthRequiresFactorCreation',
  contents: { ...needsFactor.contents, factorBinding: undefined, factorFactorType: 'Push', factorFriendlyName: 'Pixel 9' },
}

/** A call that is answered immediately. */
export const answers =
  <T>(value: T) =>
  () =>
    Promise.resolve({ ok: true, value } as const)

/** A call that the server refuses. */
export const refused =
  (message: string, status = 429, code?: ErrorCode, value?: string) =>
  () => {
    const why = { ...(code && { code }), ...(value !== undefined && { value }) }
    return Promise.resolve({ ok: false, failure: { is: 'refused', message, detail: '', status, ...why } } as const)
  }

/** A call that the server refuses because the visitor's network has made too many calls. */
export const tooMany = refused('Too many requests from this address. Try again later.', 429, 'TooManyRequests')

/** A call that the server refuses until the user reauthenticates. */
export const staleSession = refused('Sign in again first', 403, 'ReauthenticationRequired')

/** A call that reaches no server. */
export const unreachable = () =>
  Promise.resolve({
    ok: false,
    failure: { is: 'unreachable', message: 'Something went wrong', detail: 'The server could not be reached: connection refused' },
  } as const)

/** A call that never ends. */
export const never = () => new Promise<never>(() => {})
