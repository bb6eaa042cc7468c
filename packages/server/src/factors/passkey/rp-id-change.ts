import type { Db } from '../../db/schema.ts'
import { countOfOtherRpIds } from './passkeys.store.ts'
import type { RelyingParty } from './relying-party.ts'

type Settings = { before: string | undefined } & ({ is: 'On'; relyingParty: RelyingParty } | { is: 'Off'; why: string })

/**
 * Returns why the server must not start. A passkey works only with the RP ID that it was registered for, so users could not sign in with it
 * under another RP ID. Undefined if no user loses a passkey, or if the operator has named the old RP ID in GATEHOUSE_PASSKEY_RP_ID_BEFORE.
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
