import { execFileSync } from 'node:child_process'
import { availableParallelism } from 'node:os'

const cores = availableParallelism()

/**
 * Has this process, and all that it starts from now on, run on the first core only, or on all others. Left to the system, the second of two servers that
 * are equal in all is a fifth slower than the first, for where it is put. Wants Linux' `taskset`.
 * @returns whether that could be done
 */
export const runOn = (where: 'first core' | 'other cores'): boolean => {
  if (cores < 2) return false
  try {
    execFileSync('taskset', ['-a', '-p', '-c', where === 'first core' ? '0' : `1-${cores - 1}`, String(process.pid)], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
