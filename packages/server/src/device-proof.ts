import { type PushProofRequest, pushHello } from '@gatehouse/wire'
import type { Kysely } from 'kysely'
import * as audit from './audit.ts'
import type { Tables } from './db/schema.ts'
import type { Visitor } from './first-factor.ts'
import type { Keyring } from './keyring.ts'
import { limits } from './limits.ts'
import { isSignedBy } from './push.ts'
import * as pushFactors from './push-factors.ts'

/** Why a device's call came to nothing. `gone`: its factor is; `unproven`: what it signed is not its own. */
export type DeviceRefusal = 'gone' | 'unproven'

/** Decides whether whoever calls is the device of a factor. */
export const createDeviceProof = (deps: {
  db: Kysely<Tables>
  keyring: Keyring
  /** Of the public URL; a part of all that is signed. */
  origin: string
  now: () => number
}) => {
  const { db, keyring, origin, now } = deps

  /** Good for two minutes, on every server, and kept by none. */
  const nonce = (): string => keyring.seal('nonce', String(now() + limits.push.nonce), 'push')

  const isOurs = (text: string): boolean => Number(keyring.tryOpen('nonce', text, 'push') ?? 0) > now()

  /** What a device did not sign changes nothing, and is written down. */
  const unproven = async (device: pushFactors.Device, visitor: Visitor): Promise<'unproven'> => {
    await audit.record(db, { event: 'push-refused', result: 'signature', actor: null, target: device.factorIdentity, now: now() }, visitor)
    return 'unproven'
  }

  /** The device that a proof is of. */
  const prove = async (
    { factorUUID, nonce, signature }: PushProofRequest,
    visitor: Visitor,
  ): Promise<pushFactors.Device | DeviceRefusal> => {
    const device = await pushFactors.findDevice(db, factorUUID, now())
    if (!device) return 'gone'
    const isProven = isOurs(nonce) && isSignedBy(device, pushHello({ nonce, factorUUID, origin }), signature)
    return isProven ? device : unproven(device, visitor)
  }

  return { nonce, unproven, prove }
}
export type DeviceProof = ReturnType<typeof createDeviceProof>
