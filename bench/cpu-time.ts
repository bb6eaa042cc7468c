import { readdirSync, readFileSync } from 'node:fs'

/** Clock ticks per second in /proc on every Linux that Node supports: sysconf(_SC_CLK_TCK). */
const ticksPerSecond = 100

type Stat = { pid: number; name: string; parent: number; ms: number }

/** Reads /proc/PID/stat, see proc_pid_stat(5). `undefined` if the process has ended. */
const readStat = (pid: number): Stat | undefined => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const [, parent, ...rest] = text.slice(text.lastIndexOf(')') + 2).split(' ')
    // utime and stime are fields 14 and 15; `rest` starts at field 5.
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

/** CPU time of all threads of a process so far, in milliseconds. Linux only. */
export const cpuTimeOf = (pid: number): number => readStat(pid)?.ms ?? Number.NaN

/** CPU time of the PostgreSQL that this process started, in milliseconds. PostgreSQL runs a process for each connection. */
export const cpuTimeOfPostgres = (): number => {
  const all = everyStat().filter(({ name }) => name === 'postgres')
  const roots = new Set(all.filter(({ parent }) => parent === process.pid).map(({ pid }) => pid))
  return all.filter(({ pid, parent }) => roots.has(pid) || roots.has(parent)).reduce((sum, { ms }) => sum + ms, 0)
}
