import type { PasskeyAssertion, PasskeyAttestation, PasskeyCreationOptions, PasskeyRequestOptions } from '@gatehouse/wire'

export { hasPasskeys } from './has-passkeys.ts'
export { signalPasskeys } from './passkey-signals.ts'

// This module loads after the first frame. Where the browser has JSON helpers (WebAuthn Level 3, §5.1), they convert the options.

const bytesOf = (base64url: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), character => character.charCodeAt(0))

const base64url = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')

type Descriptors = PasskeyRequestOptions['allowCredentials']
const withBytes = (descriptors: Descriptors) =>
  (descriptors ?? []).map(({ id, type, transports }) => ({
    id: bytesOf(id),
    type,
    ...(transports && { transports: transports as AuthenticatorTransport[] }),
  }))

const requestOptions = (options: PasskeyRequestOptions): PublicKeyCredentialRequestOptions =>
  'parseRequestOptionsFromJSON' in PublicKeyCredential
    ? PublicKeyCredential.parseRequestOptionsFromJSON(options as PublicKeyCredentialRequestOptionsJSON)
    : { ...options, challenge: bytesOf(options.challenge), allowCredentials: withBytes(options.allowCredentials) }

const creationOptions = (options: PasskeyCreationOptions): PublicKeyCredentialCreationOptions =>
  'parseCreationOptionsFromJSON' in PublicKeyCredential
    ? PublicKeyCredential.parseCreationOptionsFromJSON(options as PublicKeyCredentialCreationOptionsJSON)
    : {
        ...options,
        challenge: bytesOf(options.challenge),
        user: { ...options.user, id: bytesOf(options.user.id) },
        excludeCredentials: withBytes(options.excludeCredentials),
      }

/**
 * How a ceremony ended without a passkey. `Cancelled`: the user closed the dialog or had no passkey, the dialog timed out, or the
 * page aborted the request.
 */
export type NoPasskey = 'Cancelled' | 'AlreadyThere' | 'Failed'

const whyNot = (error: unknown): NoPasskey => {
  const name = error instanceof DOMException ? error.name : ''
  if (name === 'NotAllowedError' || name === 'AbortError') return 'Cancelled'
  return name === 'InvalidStateError' ? 'AlreadyThere' : 'Failed'
}

type Ceremony = { signal: AbortSignal; conditional?: boolean }

/** Asks the browser for a passkey. `conditional`: in the autofill of a field, without a dialog. */
export const getPasskey = async (
  options: PasskeyRequestOptions,
  { signal, conditional = false }: Ceremony,
): Promise<PasskeyAssertion | NoPasskey> => {
  try {
    const mediation = conditional ? ('conditional' as const) : ('optional' as const)
    const found = await navigator.credentials.get({ publicKey: requestOptions(options), signal, mediation })
    if (!(found instanceof PublicKeyCredential) || !(found.response instanceof AuthenticatorAssertionResponse)) return 'Failed'
    const { clientDataJSON, authenticatorData, signature, userHandle } = found.response
    return {
      id: found.id,
      rawId: found.id,
      type: 'public-key',
      response: {
        clientDataJSON: base64url(clientDataJSON),
        authenticatorData: base64url(authenticatorData),
        signature: base64url(signature),
        ...(userHandle && { userHandle: base64url(userHandle) }),
      },
    }
  } catch (error) {
    return whyNot(error)
  }
}

/** Has the browser create a passkey. `conditional`: without asking, if the password manager has just filled in the password. */
export const createPasskey = async (
  options: PasskeyCreationOptions,
  { signal, conditional = false }: Ceremony,
): Promise<PasskeyAttestation | NoPasskey> => {
  try {
    // The type of `mediation` at creation is newer than the DOM library.
    const request: CredentialCreationOptions & { mediation?: CredentialMediationRequirement } = {
      publicKey: creationOptions(options),
      signal,
      ...(conditional && { mediation: 'conditional' }),
    }
    const made = await navigator.credentials.create(request)
    if (!(made instanceof PublicKeyCredential) || !(made.response instanceof AuthenticatorAttestationResponse)) return 'Failed'
    const { clientDataJSON, attestationObject } = made.response
    return {
      id: made.id,
      rawId: made.id,
      type: 'public-key',
      response: {
        clientDataJSON: base64url(clientDataJSON),
        attestationObject: base64url(attestationObject),
        transports: made.response.getTransports?.() ?? [],
      },
    }
  } catch (error) {
    return whyNot(error)
  }
}
