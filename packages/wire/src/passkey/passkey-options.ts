import * as v from 'valibot'
import { maybe } from '../format/decode.ts'

// A part of AuthOutcome, so the first load of the sign-in page carries these schemas. They check only what a page relies on; the browser
// checks the rest when it parses the options.

const milliseconds = v.pipe(
  v.number(),
  v.check(n => Number.isSafeInteger(n) && n >= 0, 'expected a whole number, 0 or more'),
)

const texts = v.pipe(v.array(v.string()), v.maxLength(100))

/** Names one passkey of a user. */
const descriptor = v.object({ id: v.string(), type: v.literal('public-key'), transports: maybe(texts) })

/** Schema of PasskeyRequestOptions. */
export const requestOptions = v.object({
  challenge: v.string(),
  timeout: milliseconds,
  rpId: v.string(),
  userVerification: v.literal('required'),
  /** The passkeys of the user whose first factor passed. Absent in answers to visitors whom the server does not know. */
  allowCredentials: maybe(v.array(descriptor)),
})

/** Schema of PasskeyCreationOptions. */
export const creationOptions = v.object({
  challenge: v.string(),
  timeout: milliseconds,
  rp: v.object({ id: v.string(), name: v.string() }),
  user: v.object({ id: v.string(), name: v.string(), displayName: v.string() }),
  pubKeyCredParams: v.array(v.object({ type: v.literal('public-key'), alg: v.picklist([-7, -8, -257]) })),
  excludeCredentials: v.array(descriptor),
  authenticatorSelection: v.object({
    residentKey: v.literal('required'),
    requireResidentKey: v.literal(true),
    userVerification: v.literal('required'),
  }),
  attestation: v.literal('none'),
})

/** The page's message to the password manager, which then offers exactly the passkeys that exist (Signal API). */
export const signals = v.object({
  rpId: v.string(),
  userId: v.string(),
  name: v.string(),
  displayName: v.string(),
  allAcceptedCredentialIds: texts,
})

/** Schema of PasskeyAfterSignIn. */
export const afterSignIn = v.object({ signals, upgrade: maybe(creationOptions) })

/**
 * Whether the calling page supports passkeys; absent if it does not. The server names passkeys only to such pages, because other
 * clients of the specification know only two types of second factor.
 */
export const knowsPasskeys = { passkeys: maybe(v.boolean()) }
