import type { Db } from '../../db/schema.ts'
import { countOfOtherRpIds } from './passkeys.store.ts'
import type { RelyingParty } from './relying-party.ts'

type Settings = { before: string | undefined } & ({ is: 'On'; relyingParty: RelyingParty } | { is: 'Off'; why: string })

/**
 * Why the server must not start: passkeys are bound to the RP ID for good, so with another one their users could no longer sign in with
 * them. Undefined if no user loses a passkey, or the operator has named the RP ID that is given up.
 */
export const rpIdProblem = async (db: Db, settings: Settings): Promise<string | undefined> => {
  const rpId = settings.is === 'On' ? settings.relyingParty.rpId : ''
  const lost = (await countOfOtherRpIds(db, rpId)).filter(other => other.rpId !== settings.before)
  if (lost.length === 0) return undefined
  const count = lost.reduce((sum, other) => sum + other.passkeys, 0)
  const [{ rpId: old } = { rpId: '' }] = lost
  const now = settings.is === 'On' ? `Now they would be for ${rpId}` : `Now there would be none, because ${settings.why}`
  return `${count === 1 ? '1 passkey is' : `${count} passkeys are`} bound to ${lost.map(other => other.rpId).join(' and ')}. ${now}, and no browser would offer them. To keep them, set GATEHOUSE_PASSKEY_RP_ID=${old} and a GATEHOUSE_PUBLIC_URL on that domain. To give them up, set GATEHOUSE_PASSKEY_RP_ID_BEFORE=${old}.`
}
