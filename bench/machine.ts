import { readFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg } from 'node:os'

/** The machine's load average of the last minute. */
export const load = () => loadavg()[0]?.toFixed(2)

/** One line about the hardware, the Node version and the load. */
export const machine = (): string =>
  [`${cpus()[0]?.model.trim()}, ${availableParallelism()} cores`, governor(), `Node ${process.version}`, `load ${load()}`]
    .filter(Boolean)
    .join('; ')

const governor = () => {
  try {
    return `governor ${readFileSync('/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor', 'utf8').trim()}`
  } catch {
    return undefined
  }
}
