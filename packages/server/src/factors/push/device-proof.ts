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

/** Why a phone's call was refused. `gone`: its factor was removed. `unproven`: the signature is wrong, or its nonce expired or was used. */
export type DeviceRefusal = 'gone' | 'unproven'

/** The purpose of a proof: the path of the call, and the body without the proof. */
type Purpose = { call: string; body?: string }

/** Calls that change nothing. */
const reading: readonly string[] = [approverRoutes.pending.path, socketsPath]

/** Verifies that a call comes from the phone of a factor. */
export const createDeviceProof = (deps: {
  db: Kysely<Tables>
  keyring: Keyring
  /** The public URL's origin. Every signed text contains it. */
  origin: string
  now: () => number
}) => {
  const { db, keyring, origin, now } = deps

  /** Returns a nonce that is valid for two minutes and one call, on every server. The server stores only used nonces. */
  const nonce = (): string => keyring.seal('nonce', String(now() + limits.push.nonce), 'push')

  /** Returns when a nonce expires; 0 if the server did not issue it. */
  const endOf = (text: string): number => Number(keyring.tryOpen('nonce', text, 'push') ?? 0)

  /** Records a call whose signature is wrong, or whose nonce expired or was used before. The call changes nothing. */
  const unproven = async (
    device: pushFactors.Device,
    visitor: Visitor,
    result: 'signature' | 'replayed' = 'signature',
  ): Promise<'unproven'> => {
    await audit.record(db, { event: 'push-refused', result, actor: null, target: device.factorIdentity, now: now() }, visitor)
    return 'unproven'
  }

  /** Returns the phone of a proof that was made for this call and not used before. */
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
      // An approver page that was open before the upgrade must still see its pending challenges (decision 038).
      (reading.includes(call) && isSignedBy(device, pushHello(said), signature))
    if (!isSigned) return unproven(device, visitor)
    return (await pushNonces.useNonce(db, nonce, expires)) ? device : unproven(device, visitor, 'replayed')
  }

  return { nonce, unproven, prove }
}
export type DeviceProof = ReturnType<typeof createDeviceProof>
