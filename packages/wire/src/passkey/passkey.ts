import * as v from 'valibot'
import { type Infer, maybe, shape } from '../format/decode.ts'
import { password, upTo, username } from '../format/text.ts'
import { uuid } from '../sign-in/factor.ts'
import { afterSignIn, creationOptions, requestOptions, signals } from './passkey-options.ts'

// Options and credentials are in the JSON format of WebAuthn Level 3: browsers read and write it with `parseRequestOptionsFromJSON`,
// `parseCreationOptionsFromJSON` and `toJSON`.

/** Bytes as base64url without padding. A credential without attestation stays far below this length. */
const bytes = v.pipe(
  v.string(),
  v.maxLength(8192, 'must have at most 8192 characters'),
  v.check(text => /^[\w-]*$/.test(text), 'expected base64url'),
)

const transports = v.pipe(v.array(upTo(32)), v.maxLength(10))

/** Options for `navigator.credentials.get`. They work once, in this browser, for five minutes. */
export const PasskeyRequestOptions = shape('PasskeyRequestOptions', requestOptions)
export type PasskeyRequestOptions = Infer<typeof PasskeyRequestOptions>

/** Options for `navigator.credentials.create`. They work once, in this browser. */
export const PasskeyCreationOptions = shape('PasskeyCreationOptions', creationOptions)
export type PasskeyCreationOptions = Infer<typeof PasskeyCreationOptions>

/** The arguments of `signalAllAcceptedCredentials` and `signalCurrentUserDetails`. */
export const PasskeySignals = shape('PasskeySignals', signals)
export type PasskeySignals = Infer<typeof PasskeySignals>

/** The passkeys of the user who has signed in, and options to create one without asking, if that is allowed. */
export const PasskeyAfterSignIn = shape('PasskeyAfterSignIn', afterSignIn)
export type PasskeyAfterSignIn = Infer<typeof PasskeyAfterSignIn>

/** The result of an assertion's `toJSON`, without the fields that the server does not use. */
const assertion = v.strictObject({
  id: bytes,
  rawId: bytes,
  type: v.literal('public-key'),
  response: v.strictObject({ clientDataJSON: bytes, authenticatorData: bytes, signature: bytes, userHandle: maybe(bytes) }),
})

/** The result of a new credential's `toJSON`, without the fields that the server does not use. */
const attestation = v.strictObject({
  id: bytes,
  rawId: bytes,
  type: v.literal('public-key'),
  response: v.strictObject({ clientDataJSON: bytes, attestationObject: bytes, transports: maybe(transports) }),
})

/** Schema of an assertion in a request that takes a password or a passkey. */
export const passkeyAssertion = assertion
/** An assertion from `navigator.credentials.get`. */
export type PasskeyAssertion = v.InferOutput<typeof assertion>
/** A new passkey from `navigator.credentials.create`. */
export type PasskeyAttestation = v.InferOutput<typeof attestation>

/** The purpose of a challenge. The server refuses it for any other purpose. */
const purpose = v.picklist(['SignIn', 'SecondFactor', 'Reauthentication'])
/** The purpose of a challenge. */
export type PasskeyPurpose = v.InferOutput<typeof purpose>

/** Body of /passkey/options. */
export const PasskeyOptionsRequest = shape('PasskeyOptionsRequest', v.strictObject({ purpose }))
export type PasskeyOptionsRequest = Infer<typeof PasskeyOptionsRequest>

/** Body of /passkey/sign-in and /passkey/confirm. */
export const PasskeyRequest = shape('PasskeyRequest', v.strictObject({ credential: assertion }))
export type PasskeyRequest = Infer<typeof PasskeyRequest>

const firstFactor = { otpUsername: username, otpPassword: password }

/** Body of /passkey/verify: the first factor as in verifyOTP, and the passkey in place of the code. */
export const PasskeyVerifyRequest = shape('PasskeyVerifyRequest', v.strictObject({ ...firstFactor, credential: assertion }))
export type PasskeyVerifyRequest = Infer<typeof PasskeyVerifyRequest>

/** Body of /passkey/set-up: the first factor as in setupOTP, and the new passkey in place of the code. */
export const PasskeySetUpRequest = shape('PasskeySetUpRequest', v.strictObject({ ...firstFactor, credential: attestation }))
export type PasskeySetUpRequest = Infer<typeof PasskeySetUpRequest>

/** Body of /passkey/add and /passkey/upgrade: the new passkey of a signed-in user. */
export const PasskeyAddRequest = shape('PasskeyAddRequest', v.strictObject({ credential: attestation }))
export type PasskeyAddRequest = Infer<typeof PasskeyAddRequest>

/** Response of /passkey/add and /passkey/upgrade. The server named the passkey after the password manager or device that holds it. */
export const PasskeyAdded = shape('PasskeyAdded', v.object({ factorUUID: uuid, factorFriendlyName: v.string(), signals }))
export type PasskeyAdded = Infer<typeof PasskeyAdded>
