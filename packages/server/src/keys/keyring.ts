import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** Thrown when a value cannot be decrypted: its key is missing, or the value was changed or belongs to another record. */
export class CannotOpen extends Error {}

type Purpose = 'totp' | 'mail' | 'push' | 'nonce' | 'passkey' | 'page' | 'doctor' | 'assertion' | 'probe'

/** Length of a master key's id and the dot that follows it. */
export const prefixLength = 9
/** How many values are encrypted with one master key. */
export type SealedCount = { prefix: string; count: number }
/** The result of re-encrypting one batch of values. */
export type Resealed = {
  /** The last id of the batch, after which the next batch starts. `undefined` when no values are left. */
  last: string | undefined
  sealed: number
  /** The owners of values that cannot be decrypted and are left unchanged. */
  unreadable: string[]
}

const derive = (masterKey: Buffer, info: string, bytes: number) => Buffer.from(hkdfSync('sha256', masterKey, '', info, bytes))

/** Returns a name for a master key that reveals nothing about the key. */
export const keyId = (masterKey: Buffer) => derive(masterKey, 'gatehouse key id v1', 6).toString('base64url')

/** A master key with its id and the keys derived from it. Deriving one takes as long as encrypting a value, so each is derived once. */
const createMaster = (key: Buffer) => {
  const derived = new Map<Purpose, Buffer>()
  const keyFor = (purpose: Purpose): Buffer => {
    const known = derived.get(purpose) ?? derive(key, `gatehouse ${purpose} v1`, 32)
    derived.set(purpose, known)
    return known
  }
  return { id: keyId(key), keyFor }
}

/**
 * Encrypts values that the server must read again: AES-256-GCM, with a key for each purpose derived by HKDF (RFC 5869). Each encrypted
 * value begins with the id of its master key, so that keys can be rotated while servers run.
 * @param read returns the master keys, the current one first. Called again by `reload`, and when a value has an unknown key id
 */
export const createKeyring = (read: () => readonly Buffer[]) => {
  const readMasters = () => read().map(createMaster)
  let masters = readMasters()
  const ofId = (id: string) => masters.find(master => master.id === id)

  const current = () => {
    const [first] = masters
    if (!first) throw new Error('there is no master key')
    return first
  }

  /** @param about the record that the value belongs to. Decryption requires the same record */
  const seal = (purpose: Purpose, text: string, about: string): string => {
    const master = current()
    const iv = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', master.keyFor(purpose), iv)
    cipher.setAAD(Buffer.from(about))
    const sealed = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
    return `${master.id}.${sealed.toString('base64url')}`
  }

  /** @throws CannotOpen */
  const open = (purpose: Purpose, sealed: string, about: string): string => {
    const [id = '', text = ''] = sealed.split('.')
    if (!ofId(id)) masters = readMasters()
    const master = ofId(id)
    if (!master) throw new CannotOpen('it was sealed with a master key that is not here')
    const bytes = Buffer.from(text, 'base64url')
    try {
      const decipher = createDecipheriv('aes-256-gcm', master.keyFor(purpose), bytes.subarray(0, 12), {
        authTagLength: 16,
      })
      decipher.setAAD(Buffer.from(about))
      decipher.setAuthTag(bytes.subarray(-16))
      return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString('utf8')
    } catch (cause) {
      throw new CannotOpen('it was changed, or belongs to something else', { cause })
    }
  }

  /** Decrypts a value. `undefined` if that is impossible. */
  const tryOpen = (purpose: Purpose, sealed: string, about: string): string | undefined => {
    try {
      return open(purpose, sealed, about)
    } catch (error) {
      if (error instanceof CannotOpen) return undefined
      throw error
    }
  }

  return {
    seal,
    open,
    tryOpen,
    /** The prefix of values that the current master key encrypts. */
    prefix: () => `${current().id}.`,
    /** Returns whether the master key with this prefix is available. */
    knows: (prefix: string) => ofId(prefix.slice(0, -1)) !== undefined,
    /** Loads keys that were added or removed. */
    reload: () => {
      masters = readMasters()
    },
  }
}
export type Keyring = ReturnType<typeof createKeyring>
