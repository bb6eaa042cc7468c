import { type Keyring, prefixLength } from '../../keys/keyring.ts'
import { randomSecret } from '../../keys/secrets.ts'
import { limits } from '../../limits.ts'

/** The header of the alarm's requests, which the proxy passes on to the check, and of the check's answer. */
export const probeHeader = 'gatehouse-probe'

/** A raw address, as the proxy reports it to the check. */
type Address = { origin: string; uri: string }

const about = ({ origin, uri }: Address) => `probe of ${origin}${uri}`

/**
 * Seals a new secret for a request to an address. Only a server with the master key can read it, and its check reveals it only in a refusal
 * of this address. So an answer with the secret proves that the proxy has just asked Gatehouse, and that Gatehouse refused.
 */
export const createProbe = (address: Address, { keyring, now }: { keyring: Keyring; now: () => number }) => {
  const secret = randomSecret(128)
  return { secret, token: keyring.seal('probe', `${now()} ${secret}`, about(address)) }
}

/** Reads the secret from the probe header of the request that a check is about. */
export const readProbe = (
  token: string | string[] | undefined,
  address: Address,
  { keyring, now }: { keyring: Keyring; now: () => number },
): string | undefined => {
  // Attack: tokens with unknown keys make the keyring read its file again for each request.
  if (typeof token !== 'string' || token.length > 256 || !keyring.knows(token.slice(0, prefixLength))) return undefined
  const [made, secret] = keyring.tryOpen('probe', token, about(address))?.split(' ') ?? []
  return Math.abs(now() - Number(made)) < limits.openDoor.proof ? secret : undefined
}
