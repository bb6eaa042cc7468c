import { generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'
import { coseKeyOf, makePasskeyDevice } from './authenticator.ts'

/** What a page passes to `navigator.credentials.create`, in the JSON format of WebAuthn Level 3. */
export type CreationOptions = { challenge: string; rp: { id: string }; user: { id: string } }

/** What a page passes to `navigator.credentials.get`, in the same format. */
export type RequestOptions = { challenge: string; rpId: string }

/** A new passkey, as a browser credential's `toJSON` returns it. */
export type Attestation = {
  id: string
  rawId: string
  type: 'public-key'
  response: { clientDataJSON: string; attestationObject: string; transports: string[] }
}

/** A signature by a passkey, as a browser credential's `toJSON` returns it. */
export type Assertion = {
  id: string
  rawId: string
  type: 'public-key'
  response: { clientDataJSON: string; authenticatorData: string; signature: string; userHandle: string }
}

/** The passkey of a user. Binary values are in base64url. */
export type TestPasskey = {
  credentialId: string
  rpId: string
  userHandle: string
  /** PKCS #8. */
  privateKey: string
}

/** An authenticator without a browser. */
export type VirtualPasskey = {
  /** Creates a passkey for the server's options, like `navigator.credentials.create`. */
  create: (options: CreationOptions) => Attestation
  /** Signs with the newest passkey, like `navigator.credentials.get`. */
  get: (options: RequestOptions) => Assertion
  /** The passkeys that it holds. */
  credentials: () => TestPasskey[]
}

const asJson = ({ id, rpId, userHandle, privateKey }: { id: string; rpId: string; userHandle: string; privateKey: KeyObject }) => ({
  credentialId: id,
  rpId,
  userHandle,
  privateKey: privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64url'),
})

/**
 * Makes an authenticator for pages of an origin, such as `http://localhost:8080`. It behaves like a password manager: it verifies its user,
 * and its passkeys have no counter.
 */
export const virtualPasskey = (origin: string): VirtualPasskey => createAuthenticator(origin)

const createAuthenticator = (origin: string) => {
  const device = makePasskeyDevice(origin)
  return {
    create: ({ challenge, rp, user }: CreationOptions): Attestation => {
      const made = device.create({
        challenge,
        rp: { id: rp.id, name: '' },
        user: { id: user.id, name: '', displayName: '' },
        timeout: 0,
        pubKeyCredParams: [],
        excludeCredentials: [],
        authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
        attestation: 'none',
      })
      return { ...made, response: { ...made.response, transports: made.response.transports ?? [] } }
    },
    get: ({ challenge, rpId }: RequestOptions): Assertion => {
      const used = device.get({ challenge, rpId, timeout: 0, userVerification: 'required' })
      return { ...used, response: { ...used.response, userHandle: used.response.userHandle ?? '' } }
    },
    credentials: () => device.held.map(asJson),
    hold: (passkey: { id: string; rpId: string; userHandle: string; privateKey: KeyObject }) =>
      void device.held.push({ ...passkey, counter: 0 }),
  }
}

/** A key for a user who does not exist yet. */
export const newPasskeyKey = () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { id: randomBytes(16).toString('base64url'), privateKey, publicKey: coseKeyOf(publicKey).toString('base64url') }
}
export type PasskeyKey = ReturnType<typeof newPasskeyKey>

/** The authenticator that holds the passkey of a created user. */
export const authenticatorWith = (
  origin: string,
  { id, privateKey }: PasskeyKey,
  { rpId, userHandle }: { rpId: string; userHandle: string },
): VirtualPasskey => {
  const { hold, ...authenticator } = createAuthenticator(origin)
  hold({ id, privateKey, rpId, userHandle })
  return authenticator
}
