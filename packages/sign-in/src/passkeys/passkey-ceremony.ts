import type { PasskeyAssertion, PasskeyRequestOptions } from '@gatehouse/wire'

// Loads after the first frame. The browser's own JSON helpers (WebAuthn Level 3, §5.1) do the conversion where it has them.

/** Whether this browser can use passkeys on this page. Not on plain http, except localhost. */
export const hasPasskeys = (): boolean => typeof PublicKeyCredential === 'function' && 'credentials' in navigator

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

/** How a ceremony ended without a passkey. `Cancelled`: the user closed it, it took too long, or there was none to use. */
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
