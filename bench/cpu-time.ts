import { readdirSync, readFileSync } from 'node:fs'

/** Clock ticks per second in /proc on every Linux that Node supports (sysconf(_SC_CLK_TCK)). */
const ticksPerSecond = 100

type Stat = { pid: number; name: string; parent: number; ms: number }

/** What the kernel says of a process: proc_pid_stat(5). `undefined` if it has ended. */
const readStat = (pid: number): Stat | undefined => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const [, parent, ...rest] = text.slice(text.lastIndexOf(')') + 2).split(' ')
    // The fields utime and stime are the 14th and 15th, this counts from the third.
    const ticks = Number(rest[9]) + Number(rest[10])
    return {
      pid,
      name: text.slice(text.indexOf('(') + 1, text.lastIndexOf(')')),
      parent: Number(parent),
      ms: (ticks * 1000) / ticksPerSecond,
    }
  } catch {
    return undefined
  }
}

const everyStat = () =>
  readdirSync('/proc').flatMap(name => {
    const stat = /^\d+$/.test(name) ? readStat(Number(name)) : undefined
    return stat ? [stat] : []
  })

/** Milliseconds of CPU time that a process has taken so far, all its threads together. Linux only. */
export const cpuTimeOf = (pid: number): number => readStat(pid)?.ms ?? Number.NaN

/** The same of the PostgreSQL that this process has started, with a process for each connection. */
export const cpuTimeOfPostgres = (): number => {
  const all = everyStat().filter(({ name }) => name === 'postgres')
  const roots = new Set(all.filter(({ parent }) => parent === process.pid).map(({ pid }) => pid))
  return all.filter(({ pid, parent }) => roots.has(pid) || roots.has(parent)).reduce((sum, { ms }) => sum + ms, 0)
}
