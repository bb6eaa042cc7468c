import type { Kysely } from 'kysely'
import * as accounts from '../accounts.ts'
import type { Config } from '../config.ts'
import type { Tables } from '../db/schema.ts'
import { limits } from '../limits.ts'
import { about, type Finding } from './finding.ts'

const admins = about('administrators')
const factor = about('second factor')

/** Whether those who are to administer can. */
export const examineAdministrators = async (db: Kysely<Tables>, config: Config): Promise<Finding[]> => {
  if (config.admins.size === 0)
    return [admins.warning('There are none: nobody hears of second factors that are put off or replaced. Name some in GATEHOUSE_ADMINS.')]
  const findings: Finding[] = []
  for (const ident of config.admins) {
    findings.push(
      (await accounts.findByIdent(db, ident))
        ? admins.ok(`${ident} is there.`)
        : admins.warning(`There is no user ${ident}. Add it: npm run cli -- user add ${ident}`),
    )
  }
  return findings
}

export const examinePolicy = ({ secondFactor, production }: Config): Finding => {
  switch (secondFactor) {
    case 'required':
      return factor.ok('Nobody gets in without one (GATEHOUSE_SECOND_FACTOR=required).')
    case 'skippable':
      return factor.ok(`People may put it off ${limits.skip.most} times, administrators never (GATEHOUSE_SECOND_FACTOR=skippable).`)
    case 'off': {
      const text = 'Nobody is asked to set one up (GATEHOUSE_SECOND_FACTOR=off).'
      return production ? factor.warning(`${text} A password that is found out is enough to get in.`) : factor.ok(text)
    }
  }
}
