import type { Kysely } from 'kysely'
import type { Config } from '../config/config.ts'
import type { Tables } from '../db/schema.ts'
import { limits } from '../limits.ts'
import { commandLine } from '../program.ts'
import * as accounts from '../users/users.store.ts'
import { about, type Finding } from './finding.ts'

const admins = about('administrators')
const factor = about('second factor')

/** Checks that every configured administrator exists. */
export const examineAdministrators = async (db: Kysely<Tables>, config: Config): Promise<Finding[]> => {
  if (config.admins.size === 0)
    return [
      admins.warning(
        'No administrator is configured, so no one is notified when a user skips or replaces a second factor. Name administrators in GATEHOUSE_ADMINS.',
      ),
    ]
  const findings: Finding[] = []
  for (const ident of config.admins) {
    findings.push(
      (await accounts.findByIdent(db, ident))
        ? admins.ok(`${ident} is a user.`)
        : admins.warning(`No user ${ident} exists. Add the user: ${commandLine} user add ${ident}`),
    )
  }
  return findings
}

export const examinePolicy = ({ secondFactor, phishingResistance: rule, production }: Config): Finding => {
  if (rule) {
    const who = rule.of === 'everyone' ? 'Every user' : 'Every administrator'
    const since = rule.from === 0 ? '' : `, from ${new Date(rule.from).toISOString().slice(0, 10)} on`
    return factor.ok(`${who} needs a passkey${since}, and every user a second factor.`)
  }
  switch (secondFactor) {
    case 'required':
      return factor.ok('Every user needs one (GATEHOUSE_SECOND_FACTOR=required).')
    case 'skippable':
      return factor.ok(`Users can skip set-up ${limits.skip.most} times, administrators never (GATEHOUSE_SECOND_FACTOR=skippable).`)
    case 'off': {
      const text = 'Users are not asked to set one up (GATEHOUSE_SECOND_FACTOR=off).'
      return production ? factor.warning(`${text} A stolen password is enough to sign in.`) : factor.ok(text)
    }
  }
}
