import { vi } from 'vitest'

const bytes = (text: string) => new TextEncoder().encode(text).buffer

class FakeAssertionResponse {
  clientDataJSON = bytes('client')
  authenticatorData = bytes('authenticator')
  signature = bytes('signature')
  userHandle = bytes('handle')
}

class FakeAttestationResponse {
  clientDataJSON = bytes('client')
  attestationObject = bytes('attestation')
  getTransports = () => ['internal']
}

class FakeCredential {
  response: FakeAssertionResponse | FakeAttestationResponse
  id = 'b25l'
  constructor(response: FakeAssertionResponse | FakeAttestationResponse) {
    this.response = response
  }
}

/** What the page sends to the server for a passkey from {@link passkeyBrowser}. */
export const assertion = {
  id: 'b25l',
  rawId: 'b25l',
  type: 'public-key',
  response: { clientDataJSON: 'Y2xpZW50', authenticatorData: 'YXV0aGVudGljYXRvcg', signature: 'c2lnbmF0dXJl', userHandle: 'aGFuZGxl' },
} as const
export const attestation = {
  id: 'b25l',
  rawId: 'b25l',
  type: 'public-key',
  response: { clientDataJSON: 'Y2xpZW50', attestationObject: 'YXR0ZXN0YXRpb24', transports: ['internal'] },
} as const

/** Options that our server would send. */
export const requestOptions = { challenge: 'YQ', timeout: 300_000, rpId: 'example.com', userVerification: 'required' } as const
export const creationOptions = {
  challenge: 'YQ',
  timeout: 300_000,
  rp: { id: 'example.com', name: 'Gatehouse' },
  user: { id: 'dQ', name: 'ada@example.com', displayName: 'ada@example.com' },
  pubKeyCredParams: [{ type: 'public-key' as const, alg: -7 as const }],
  excludeCredentials: [{ id: 'b3RoZXI', type: 'public-key' as const, transports: ['internal'] }],
  authenticatorSelection: { residentKey: 'required' as const, requireResidentKey: true as const, userVerification: 'required' as const },
  attestation: 'none' as const,
}

/** The browser's answer to a request for a passkey: a passkey, or an error with this name. */
type Answer = 'passkey' | 'NotAllowedError' | 'InvalidStateError' | 'SecurityError'

type Asked = { mediation?: string; signal?: AbortSignal; publicKey?: { challenge: ArrayBuffer; allowCredentials?: { id: ArrayBuffer }[] } }

/**
 * A browser with passkeys, in place of jsdom, which has none. Each request, including one in the autofill of
 * a field, waits until the test calls `settle` or its signal aborts. `remove` restores the window.
 */
export const passkeyBrowser = (how: { capabilities?: Record<string, boolean>; hasAutofill?: boolean } = {}) => {
  const asked: (Asked & { settle: (answer: Answer) => void })[] = []
  const hear = (response: () => FakeAssertionResponse | FakeAttestationResponse) => (options: Asked) =>
    new Promise<FakeCredential>((resolve, reject) => {
      const settle = (answer: Answer) =>
        answer === 'passkey' ? resolve(new FakeCredential(response())) : reject(new DOMException('not this time', answer))
      options.signal?.addEventListener('abort', () => reject(new DOMException('stopped', 'AbortError')))
      asked.push({ ...options, settle })
    })
  const signals = {
    signalAllAcceptedCredentials: vi.fn(async (_: object) => {}),
    signalCurrentUserDetails: vi.fn(async (_: object) => {}),
    signalUnknownCredential: vi.fn(async (_: object) => {}),
  }
  vi.stubGlobal(
    'PublicKeyCredential',
    Object.assign(FakeCredential, {
      ...signals,
      isConditionalMediationAvailable: async () => how.hasAutofill ?? true,
      getClientCapabilities: async () => how.capabilities ?? {},
    }),
  )
  vi.stubGlobal('AuthenticatorAssertionResponse', FakeAssertionResponse)
  vi.stubGlobal('AuthenticatorAttestationResponse', FakeAttestationResponse)
  const credentials = { get: vi.fn(hear(() => new FakeAssertionResponse())), create: vi.fn(hear(() => new FakeAttestationResponse())) }
  Object.defineProperty(navigator, 'credentials', { configurable: true, value: credentials })
  return {
    ...signals,
    ...credentials,
    asked,
    /** Settles the last request. */
    settle: (answer: Answer) => asked.at(-1)?.settle(answer),
    remove: () => {
      Reflect.deleteProperty(navigator, 'credentials')
      vi.unstubAllGlobals()
    },
  }
}
