import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import type { PasskeyAssertion, PasskeyAttestation, PasskeyCreationOptions, PasskeyRequestOptions } from '@gatehouse/wire'

// An independent implementation of an authenticator, written from WebAuthn Level 3 §6 and RFC 8949, without the server's library.

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()
const base64url = (data: Buffer) => data.toString('base64url')

/** Encodes what the messages need as CBOR: integers, byte strings, texts and maps. */
const cbor = (value: number | string | Buffer | Map<number | string, unknown>): Buffer => {
  const head = (major: number, n: number): Buffer => {
    if (n < 24) return Buffer.from([(major << 5) | n])
    if (n < 256) return Buffer.from([(major << 5) | 24, n])
    return Buffer.from([(major << 5) | 25, n >> 8, n & 255])
  }
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  const entries = [...value].map(([key, item]) => Buffer.concat([cbor(key), cbor(item as Parameters<typeof cbor>[0])]))
  return Buffer.concat([head(5, value.size), ...entries])
}

const coordinate = (key: KeyObject, name: 'x' | 'y') => Buffer.from(key.export({ format: 'jwk' })[name] ?? '', 'base64url')

/** An ES256 key as COSE (RFC 9053 §7.1). */
export const coseKeyOf = (publicKey: KeyObject): Buffer =>
  cbor(
    new Map<number, unknown>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, coordinate(publicKey, 'x')],
      [-3, coordinate(publicKey, 'y')],
    ]),
  )

/** Flags of authenticator data (§6.1). */
export const flags = { userPresent: 1, userVerified: 4, backupEligible: 8, backedUp: 16, attested: 64 }

/** Mistakes of the authenticator that a test can request. */
export type Wrong = {
  origin?: string
  rpId?: string
  challenge?: string
  flags?: number
  counter?: number
  userHandle?: string | null
  type?: string
  crossOrigin?: boolean
  signature?: (data: Buffer) => Buffer
}

type Held = { id: string; rpId: string; userHandle: string; privateKey: KeyObject; counter: number }

type DeviceOptions = { synced?: boolean; aaguid?: string; id?: string | undefined }
/**
 * An authenticator. `id`: the id of every passkey that it creates; random if left out. `synced`: whether it is a password manager, whose
 * keys leave the device and have no counter.
 */
export const makePasskeyDevice = (
  origin: string,
  { synced = true, aaguid = '00000000-0000-0000-0000-000000000000', id: fixedId }: DeviceOptions = {},
) => {
  const held: Held[] = []
  const ownFlags = flags.userPresent | flags.userVerified | (synced ? flags.backupEligible | flags.backedUp : 0)

  const clientData = (type: string, challenge: string, wrong: Wrong) =>
    Buffer.from(
      JSON.stringify({
        type: wrong.type ?? type,
        challenge: wrong.challenge ?? challenge,
        origin: wrong.origin ?? origin,
        crossOrigin: wrong.crossOrigin ?? false,
      }),
    )
  const authData = (rpId: string, wrong: Wrong, counter: number, attested?: Buffer) => {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(wrong.counter ?? counter)
    const bits = (wrong.flags ?? ownFlags) | (attested ? flags.attested : 0)
    return Buffer.concat([sha256(wrong.rpId ?? rpId), Buffer.from([bits]), count, ...(attested ? [attested] : [])])
  }

  /** `navigator.credentials.create`. */
  const create = (options: PasskeyCreationOptions, wrong: Wrong = {}): PasskeyAttestation => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const rawId = fixedId === undefined ? randomBytes(16) : Buffer.from(fixedId, 'base64url')
    const attested = Buffer.concat([
      Buffer.from(aaguid.replaceAll('-', ''), 'hex'),
      Buffer.from([rawId.length >> 8, rawId.length & 255]),
      rawId,
      coseKeyOf(publicKey),
    ])
    const data = authData(options.rp.id, wrong, synced ? 0 : 1, attested)
    const attestationObject = cbor(
      new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', data],
      ]),
    )
    const id = base64url(rawId)
    held.push({ id, rpId: options.rp.id, userHandle: options.user.id, privateKey, counter: synced ? 0 : 1 })
    return {
      id,
      rawId: id,
      type: 'public-key',
      response: {
        clientDataJSON: base64url(clientData('webauthn.create', options.challenge, wrong)),
        attestationObject: base64url(attestationObject),
        transports: synced ? ['internal', 'hybrid'] : ['usb'],
      },
    }
  }

  /** `navigator.credentials.get`. */
  const get = (options: PasskeyRequestOptions, wrong: Wrong = {}, which = held.at(-1)): PasskeyAssertion => {
    if (!which) throw new Error('the authenticator holds no passkey')
    if (!synced) which.counter++
    const client = clientData('webauthn.get', options.challenge, wrong)
    const data = authData(options.rpId, wrong, which.counter)
    const signed = Buffer.concat([data, sha256(client)])
    const signature = wrong.signature ? wrong.signature(signed) : sign('sha256', signed, which.privateKey)
    const userHandle = wrong.userHandle === undefined ? which.userHandle : wrong.userHandle
    return {
      id: which.id,
      rawId: which.id,
      type: 'public-key',
      response: {
        clientDataJSON: base64url(client),
        authenticatorData: base64url(data),
        signature: base64url(signature),
        ...(userHandle !== null && { userHandle }),
      },
    }
  }

  return { held, create, get }
}
export type PasskeyDevice = ReturnType<typeof makePasskeyDevice>
