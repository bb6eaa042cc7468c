import fc from 'fast-check'
import { any, record, uuid, word } from './values.ts'

const bytes = fc.uint8Array({ maxLength: 40 }).map(array => Buffer.from(array).toString('base64url'))
const publicKey = fc.constant('public-key')
const descriptor = record({ id: bytes, type: publicKey }, { transports: fc.array(word, { maxLength: 3 }) })
export const requestOptions = record(
  { challenge: bytes, timeout: fc.nat(), rpId: any, userVerification: fc.constant('required') },
  { allowCredentials: fc.array(descriptor, { maxLength: 2 }) },
)
export const creationOptions = record({
  challenge: bytes,
  timeout: fc.nat(),
  rp: record({ id: any, name: any }),
  user: record({ id: bytes, name: any, displayName: any }),
  pubKeyCredParams: fc.array(record({ type: publicKey, alg: fc.constantFrom(-7, -8, -257) }), { maxLength: 3 }),
  excludeCredentials: fc.array(descriptor, { maxLength: 2 }),
  authenticatorSelection: record({
    residentKey: fc.constant('required'),
    requireResidentKey: fc.constant(true),
    userVerification: fc.constant('required'),
  }),
  attestation: fc.constant('none'),
})
const passkeySignals = record({
  rpId: any,
  userId: bytes,
  name: any,
  displayName: any,
  allAcceptedCredentialIds: fc.array(bytes, { maxLength: 3 }),
})
export const afterSignIn = record({ signals: passkeySignals }, { upgrade: creationOptions })
export const assertion = record({
  id: bytes,
  rawId: bytes,
  type: publicKey,
  response: record({ clientDataJSON: bytes, authenticatorData: bytes, signature: bytes }, { userHandle: bytes }),
})
const attestation = record({
  id: bytes,
  rawId: bytes,
  type: publicKey,
  response: record({ clientDataJSON: bytes, attestationObject: bytes }, { transports: fc.array(word, { maxLength: 3 }) }),
})

/** Passkeys: the options and answers of WebAuthn. */
export const passkeyArbitraries: Record<string, fc.Arbitrary<unknown>> = {
  PasskeyRequestOptions: requestOptions,
  PasskeyCreationOptions: creationOptions,
  PasskeySignals: passkeySignals,
  PasskeyAfterSignIn: afterSignIn,
  PasskeyOptionsRequest: record({ purpose: fc.constantFrom('SignIn', 'SecondFactor', 'Reauthentication') }),
  PasskeyRequest: record({ credential: assertion }),
  PasskeyVerifyRequest: record({ otpUsername: word, otpPassword: word, credential: assertion }),
  PasskeySetUpRequest: record({ otpUsername: word, otpPassword: word, credential: attestation }),
  PasskeyAddRequest: record({ credential: attestation }),
  PasskeyAdded: record({ factorUUID: uuid, factorFriendlyName: any, signals: passkeySignals }),
}
