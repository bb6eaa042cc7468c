import { limits } from '../limits.ts'
import { about, type Finding } from './finding.ts'

const { ok, warning, problem } = about('clock')

/** @param ahead by how much another clock is ahead of this machine's, in milliseconds */
export const clockFinding = (ahead: number, whose: string): Finding => {
  const off = Math.abs(ahead)
  const seconds = (off / 1000).toFixed(1)
  if (off <= limits.clockSkew.warn) return ok(`This machine and ${whose} agree within ${Math.max(off / 1000, 0.1).toFixed(1)} s.`)
  const text = `The clock of ${whose} is ${seconds} s ${ahead > 0 ? 'ahead of' : 'behind'} this machine's. Synchronize both with NTP`
  return off > limits.clockSkew.refuse
    ? problem(`${text}. Otherwise correct security codes may be refused, and links expire at the wrong time.`)
    : warning(`${text}.`)
}

export const nothingToCompare = ok("SQLite uses this machine's clock. The doctor found no other clock to compare it with.")
