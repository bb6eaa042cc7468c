import { statSync } from 'node:fs'
import type { Config } from '../config/config.ts'
import type { Tally } from '../keys/key-rotation.ts'
import { commandLine } from '../program.ts'
import { about, type Finding } from './finding.ts'

const { ok, warning, problem } = about('master key')

/** Checks who can read the file with the master key. */
export const examineKeyFile = ({ masterKeyFile: file }: Config): Finding => {
  if (!file) return ok('The master key is in GATEHOUSE_MASTER_KEY.')
  const { mode } = statSync(file)
  if (mode & 0o007) return problem(`Every user of this machine can read ${file}. Restrict it: chmod 600 ${file}`)
  return mode & 0o070
    ? warning(`The group of ${file} can read it. If that is not needed: chmod 600 ${file}`)
    : ok(`${file} is readable by its owner only.`)
}

/** Checks that all encrypted values can be decrypted. */
export const examineSealed = ({ old, missing }: Tally): Finding => {
  if (missing > 0)
    return problem(
      `${missing} secrets and emails are encrypted with a master key that is missing here, so the affected users cannot sign in. Put that key back, after the others.`,
    )
  return old > 0
    ? warning(`${old} secrets and emails are encrypted with an old master key. Finish the rotation: ${commandLine} rotate-key`)
    : ok('Everything is encrypted with the first key.')
}
