import { examine, examineAddress } from '../doctor/doctor.ts'
import type { Finding } from '../doctor/finding.ts'
import type { Call } from './command.ts'

/** Prints one line for each finding. The doctor checks the configuration and the database itself, so this command opens neither. */
export const runDoctor = async ({ args: [address], write, data }: Call) => {
  const findings: Finding[] = []
  for await (const finding of address === undefined ? examine(process.env) : examineAddress(address, process.env)) {
    const { level, about, says } = finding
    write(`${level.padEnd(8)} ${about.padEnd(14)} ${says}`)
    if (level === 'problem') process.exitCode = 1
    findings.push(finding)
  }
  data(findings)
}
