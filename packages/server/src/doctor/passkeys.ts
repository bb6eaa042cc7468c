import type { Kysely } from 'kysely'
import type { Config } from '../config/config.ts'
import type { Tables } from '../db/schema.ts'
import { rpIdProblem } from '../factors/passkey/rp-id-change.ts'
import { about, type Finding } from './finding.ts'

const { ok, warning, problem } = about('passkeys')

/** Reports whether passkeys are on, and which origins need browser support for related origins. */
export const examinePasskeys = ({ passkeys }: Config): Finding[] => {
  if (passkeys.is === 'Off') return [warning(`Passkeys are off: ${passkeys.why}.`)]
  const { relyingParty, uncovered } = passkeys
  const findings = [ok(`They are bound to ${relyingParty.rpId}.`)]
  if (uncovered.length > 0)
    findings.push(
      ok(
        `The domain does not cover ${uncovered.join(' and ')}. Browsers that support related origins read https://${relyingParty.rpId}/.well-known/webauthn, which must answer what this server answers there.`,
      ),
    )
  return findings
}

/** Reports a problem if this configuration would break existing passkeys. */
export const examineRpId = async (db: Kysely<Tables>, { passkeys }: Config): Promise<Finding[]> => {
  const lost = await rpIdProblem(db, passkeys)
  return lost === undefined ? [] : [problem(lost)]
}
