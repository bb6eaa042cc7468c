import type { PasskeyAssertion, PasskeyAttestation } from '@gatehouse/wire'
import type { Passkey } from './passkeys.store.ts'
import type { RelyingParty } from './relying-party.ts'

/** The facts in a verified assertion. */
export type Asserted = { counter: number; synced: boolean }
/** The facts in a verified new passkey. */
export type Attested = Pick<
  Passkey,
  'passkeyCredentialId' | 'passkeyPublicKey' | 'passkeyCounter' | 'passkeyTransports' | 'passkeyAaguid' | 'passkeySynced' | 'passkeyRpId'
>

/** ES256, EdDSA and RS256, in the order of preference: every authenticator has one of them. */
export const algorithms = [-7, -8, -257] as const

/** WebAuthn Level 3, §7.1, step 25. PostgreSQL cannot index much longer ids. */
const mostIdBytes = 1023

/** Loaded with the first passkey, so servers whose users have none never load it. */
const loadLibrary = () => import('@simplewebauthn/server')

/** Checks what authenticators sign (WebAuthn Level 3, §7.1 and §7.2). Requires user verification, except in a conditional creation. */
export const createWebAuthn = ({ rpId, origins }: RelyingParty) => {
  const expected = { expectedOrigin: [...origins], expectedRPID: rpId }

  /** @returns undefined if a check of the assertion fails */
  const verifyAssertion = async (
    credential: PasskeyAssertion,
    passkey: Pick<Passkey, 'passkeyPublicKey'>,
    isChallenge: (challenge: string) => boolean,
  ): Promise<Asserted | undefined> => {
    const { verifyAuthenticationResponse } = await loadLibrary()
    const { decodeCredentialPublicKey } = await import('@simplewebauthn/server/helpers')
    try {
      const publicKey = bytesOf(passkey.passkeyPublicKey)
      // Refuse a second spelling of a signature: the library ignores bytes after an ECDSA signature.
      if (decodeCredentialPublicKey(publicKey).get(cose.alg) === -7 && !isOneSignature(bytesOf(credential.response.signature)))
        return undefined
      const { userHandle, ...response } = credential.response
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        ...expected,
        response: {
          ...credential,
          response: { ...response, ...(userHandle != null && { userHandle }) },
          clientExtensionResults: {},
        },
        expectedChallenge: isChallenge,
        requireUserVerification: true,
        // The caller judges the counter: it must rise only where the key cannot leave its device.
        credential: { id: credential.id, publicKey, counter: 0 },
      })
      if (!verified || isOfOtherFrame(credential.response.clientDataJSON)) return undefined
      return { counter: authenticationInfo.newCounter, synced: authenticationInfo.credentialDeviceType === 'multiDevice' }
    } catch {
      // The library throws for every kind of wrong input.
      return undefined
    }
  }

  /** @returns undefined if a check of the new passkey fails */
  const verifyAttestation = async (
    credential: PasskeyAttestation,
    isChallenge: (challenge: string) => boolean,
    { automatic }: { automatic: boolean },
  ): Promise<Attested | undefined> => {
    const { verifyRegistrationResponse } = await loadLibrary()
    const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
    try {
      // Attack: certificates in an attestation name addresses, which the library would fetch. Browsers send none, because the options
      // request none.
      const object = decodeAttestationObject(bytesOf(credential.response.attestationObject))
      const format = object.get('fmt')
      const isSelfAttested = format === 'packed' && object.get('attStmt').get('x5c') === undefined
      if (format !== 'none' && !isSelfAttested) return undefined
      const { transports, ...response } = credential.response
      const { verified, registrationInfo } = await verifyRegistrationResponse({
        ...expected,
        response: { ...credential, response, clientExtensionResults: {} },
        expectedChallenge: isChallenge,
        // In a conditional creation, the authenticator shows no prompt (WebAuthn Level 3, §7.1). Every use verifies the user.
        requireUserPresence: !automatic,
        requireUserVerification: !automatic,
        supportedAlgorithmIDs: [...algorithms],
      })
      if (!verified || !registrationInfo || isOfOtherFrame(credential.response.clientDataJSON)) return undefined
      if (registrationInfo.credential.id !== credential.id || bytesOf(credential.id).length > mostIdBytes) return undefined
      return {
        passkeyCredentialId: credential.id,
        passkeyPublicKey: Buffer.from(registrationInfo.credential.publicKey).toString('base64url'),
        passkeyCounter: registrationInfo.credential.counter,
        passkeyTransports: (transports ?? []).filter(one => /^[a-z-]{1,32}$/.test(one)).join(),
        passkeyAaguid: registrationInfo.aaguid,
        passkeySynced: registrationInfo.credentialDeviceType === 'multiDevice' ? 1 : 0,
        passkeyRpId: rpId,
      }
    } catch {
      return undefined
    }
  }

  return { verifyAssertion, verifyAttestation }
}

const bytesOf = (base64url: string) => new Uint8Array(Buffer.from(base64url, 'base64url'))

/** The label of the algorithm in a COSE key (RFC 9052 §7.1). */
const cose = { alg: 3 } as const

/** Whether bytes are exactly one ECDSA signature: a SEQUENCE of two INTEGERs in DER (RFC 3279 §2.2.3). */
const isOneSignature = (bytes: Uint8Array): boolean => {
  const [sequence, length, integer, first = 0] = bytes
  const second = 4 + first
  return (
    sequence === 0x30 &&
    length === bytes.length - 2 &&
    integer === 0x02 &&
    bytes[second] === 0x02 &&
    second + 2 + (bytes[second + 1] ?? 0) === bytes.length
  )
}

/** Attack: another site shows a page of Gatehouse in a frame, and the user does not see which site asks for the passkey. */
const isOfOtherFrame = (clientDataJSON: string): boolean => {
  const { crossOrigin } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()) as { crossOrigin?: unknown }
  return crossOrigin !== undefined && crossOrigin !== false
}

/** The challenge that a credential claims to answer, whether or not a server issued it. */
export const challengeOf = ({ response }: { response: { clientDataJSON: string } }): string => {
  try {
    const data: unknown = JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString())
    return typeof data === 'object' && data !== null && 'challenge' in data && typeof data.challenge === 'string' ? data.challenge : ''
  } catch {
    return ''
  }
}
