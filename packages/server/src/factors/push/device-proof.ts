import { approverRoutes, type PushProofRequest, pushCall, pushHello, socketsPath } from '@gatehouse/wire'
import type { Kysely } from 'kysely'
import * as audit from '../../audit/audit.store.ts'
import type { Tables } from '../../db/schema.ts'
import type { Keyring } from '../../keys/keyring.ts'
import { hashSecret } from '../../keys/secrets.ts'
import { limits } from '../../limits.ts'
import type { Visitor } from '../../visitors/visitor.ts'
import { isSignedBy } from './push.ts'
import * as pushFactors from './push-devices.store.ts'
import * as pushNonces from './push-nonces.store.ts'

/** Why a device's call came to nothing. `gone`: its factor is; `unproven`: what it signed is not its own. */
export type DeviceRefusal = 'gone' | 'unproven'

/** What a proof is for: the path of a call, and what its body says beside the proof. */
type Purpose = { call: string; body?: string }

/** What tells a device something and changes nothing. */
const reading: readonly string[] = [approverRoutes.pending.path, socketsPath]

/** Decides whether whoever calls is the device of a factor. */
export const createDeviceProof = (deps: {
  db: Kysely<Tables>
  keyring: Keyring
  /** Of the public URL; a part of all that is signed. */
  origin: string
  now: () => number
}) => {
  const { db, keyring, origin, now } = deps

  /** Good for two minutes and one call, on every server; only one that was used is kept. */
  const nonce = (): string => keyring.seal('nonce', String(now() + limits.push.nonce), 'push')

  /** When one of our nonces is over. */
  const endOf = (text: string): number => Number(keyring.tryOpen('nonce', text, 'push') ?? 0)

  /** What a device did not sign, or signed for another time, changes nothing, and is written down. */
  const unproven = async (
    device: pushFactors.Device,
    visitor: Visitor,
    result: 'signature' | 'replayed' = 'signature',
  ): Promise<'unproven'> => {
    await audit.record(db, { event: 'push-refused', result, actor: null, target: device.factorIdentity, now: now() }, visitor)
    return 'unproven'
  }

  /** The device that a proof is of, if it was made for this call and never used before. */
  const prove = async (
    { factorUUID, nonce, signature }: PushProofRequest,
    { call, body = '' }: Purpose,
    visitor: Visitor,
  ): Promise<pushFactors.Device | DeviceRefusal> => {
    const device = await pushFactors.findDevice(db, factorUUID, now())
    if (!device) return 'gone'
    const expires = endOf(nonce)
    if (expires <= now()) return unproven(device, visitor)
    const said = { nonce, factorUUID, origin }
    const isSigned =
      isSignedBy(device, pushCall({ ...said, call, bodyHash: hashSecret(body) }), signature) ||
      // An approver that was open before the upgrade must still see what it is asked (record 038).
      (reading.includes(call) && isSignedBy(device, pushHello(said), signature))
    if (!isSigned) return unproven(device, visitor)
    return (await pushNonces.useNonce(db, nonce, expires)) ? device : unproven(device, visitor, 'replayed')
  }

  return { nonce, unproven, prove }
}
export type DeviceProof = ReturnType<typeof createDeviceProof>
