import { Empty, Nothing } from '../format/nothing.ts'
import { route } from '../format/route.ts'
import { AuthOutcome } from '../sign-in/auth.ts'
import {
  PasskeyAdded,
  PasskeyAddRequest,
  PasskeyCreationOptions,
  PasskeyOptionsRequest,
  PasskeyRequest,
  PasskeyRequestOptions,
  PasskeySetUpRequest,
  PasskeySignals,
  PasskeyVerifyRequest,
} from './passkey.ts'

// Separate from the other calls, so that the sign-in page can load these after its first frame.

/** A challenge for this browser. Answers 404 if passkeys are off. Lists no credentials, because the server does not know the visitor. */
export const passkeyOptions = route('POST', '/passkey/options', PasskeyOptionsRequest, PasskeyRequestOptions)
/** Signs in with a passkey alone. `AuthFailureFailedLogin` says in `passkey` whether the passkey is unknown. */
export const passkeySignIn = route('POST', '/passkey/sign-in', PasskeyRequest, AuthOutcome)
/** Verifies a passkey as the second factor. */
export const passkeyVerify = route('POST', '/passkey/verify', PasskeyVerifyRequest, AuthOutcome)
/** Sets up the first second factor: a passkey, with the options of AuthRequiresFactorCreation. */
export const passkeySetUp = route('POST', '/passkey/set-up', PasskeySetUpRequest, AuthOutcome)
/** Reauthentication by passkey. The session gets a new cookie value. */
export const passkeyConfirm = route('POST', '/passkey/confirm', PasskeyRequest, Nothing)
/** Options to add a passkey to the account. Requires a recent sign-in. */
export const passkeyAddOptions = route('POST', '/passkey/add-options', Empty, PasskeyCreationOptions)
export const passkeyAdd = route('POST', '/passkey/add', PasskeyAddRequest, PasskeyAdded)
/** Adds the passkey that the password manager created without asking, with the options of AuthSuccessful. */
export const passkeyUpgrade = route('POST', '/passkey/upgrade', PasskeyAddRequest, PasskeyAdded)
/** The signed-in user's passkeys, for the password manager. */
export const passkeySignals = route('POST', '/passkey/signals', Empty, PasskeySignals)
