import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** Thrown when something sealed cannot be opened: by no key there is, or not as what it is shown as. */
export class CannotOpen extends Error {}

type Purpose = 'totp' | 'mail' | 'push' | 'nonce' | 'page' | 'doctor'

/** How many characters the id of a master key has, with the dot behind it. */
export const prefixLength = 9
/** How many things are sealed with a master key. */
export type SealedCount = { prefix: string; count: number }
/** What came of sealing some things anew. */
export type Resealed = {
  /** Where to go on; nothing when that was all. */
  last: string | undefined
  sealed: number
  /** Ids of what cannot be opened, and so stays as it is. */
  unreadable: string[]
}

const derive = (masterKey: Buffer, info: string, bytes: number) => Buffer.from(hkdfSync('sha256', masterKey, '', info, bytes))

/** Names a master key without telling anything of it. */
export const keyId = (masterKey: Buffer) => derive(masterKey, 'gatehouse key id v1', 6).toString('base64url')

/**
 * Encrypts what has to be read again (AES-256-GCM, a key for each purpose by HKDF, RFC 5869). Everything sealed begins
 * with the id of its master key, so that keys can change while servers run.
 * @param read the master keys there are, the one to seal with first; asked again when something bears an id nobody knows
 */
export const createKeyring = (read: () => readonly Buffer[]) => {
  let masters = read()
  const ofId = (id: string) => masters.find(master => keyId(master) === id)

  const current = () => {
    const [first] = masters
    if (!first) throw new Error('there is no master key')
    return first
  }

  /** @param about what it belongs to: it opens only for the same */
  const seal = (purpose: Purpose, text: string, about: string): string => {
    const master = current()
    const iv = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', derive(master, `gatehouse ${purpose} v1`, 32), iv)
    cipher.setAAD(Buffer.from(about))
    const sealed = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
    return `${keyId(master)}.${sealed.toString('base64url')}`
  }

  /** @throws CannotOpen */
  const open = (purpose: Purpose, sealed: string, about: string): string => {
    const [id = '', text = ''] = sealed.split('.')
    if (!ofId(id)) masters = read()
    const master = ofId(id)
    if (!master) throw new CannotOpen('it was sealed with a master key that is not here')
    const bytes = Buffer.from(text, 'base64url')
    try {
      const decipher = createDecipheriv('aes-256-gcm', derive(master, `gatehouse ${purpose} v1`, 32), bytes.subarray(0, 12), {
        authTagLength: 16,
      })
      decipher.setAAD(Buffer.from(about))
      decipher.setAuthTag(bytes.subarray(-16))
      return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString('utf8')
    } catch (cause) {
      throw new CannotOpen('it was changed, or belongs to something else', { cause })
    }
  }

  /** The same; `undefined` for what cannot be opened. */
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
    /** What everything that is sealed by now begins with. */
    prefix: () => `${keyId(current())}.`,
    /** Whether the master key of something that begins so is here. */
    knows: (prefix: string) => ofId(prefix.slice(0, -1)) !== undefined,
    /** Takes up keys that were added or removed. */
    reload: () => {
      masters = read()
    },
  }
}
export type Keyring = ReturnType<typeof createKeyring>
