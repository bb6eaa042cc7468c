import { statSync } from 'node:fs'
import type { Config } from '../config.ts'
import type { Tally } from '../key-rotation.ts'
import { about, type Finding } from './finding.ts'

const { ok, warning, problem } = about('master key')

/** Who may read the file that holds it. */
export const examineKeyFile = ({ masterKeyFile: file }: Config): Finding => {
  if (!file) return ok('It is in GATEHOUSE_MASTER_KEY.')
  const { mode } = statSync(file)
  if (mode & 0o007) return problem(`Every user of this machine may read ${file}. Close it: chmod 600 ${file}`)
  return mode & 0o070
    ? warning(`The group of ${file} may read it. If it need not: chmod 600 ${file}`)
    : ok(`${file} is for its user alone.`)
}

/** Whether what is sealed can be opened. */
export const examineSealed = ({ old, missing }: Tally): Finding => {
  if (missing > 0)
    return problem(
      `${missing} secrets and mails are sealed with a master key that is not here: whose they are cannot sign in. Put that key back, behind the others.`,
    )
  return old > 0
    ? warning(`${old} secrets and mails are sealed with an old master key. Finish the rotation: npm run cli -- rotate-key`)
    : ok('Everything is sealed with the first key.')
}
