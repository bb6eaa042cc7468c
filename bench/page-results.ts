import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Load, Look } from './page-load.ts'
import type { Typing } from './page-typing.ts'
import type { Profile } from './page-visit.ts'

/** What one interleaved run on one profile gave: of each target, by its name, as many loads as there were rounds. */
export type Run = {
  at: string
  machine: string
  rounds: number
  looks: Record<string, Look & { packages: number }>
  loads: Record<string, Load[]>
  typing: Record<string, Typing[]>
}

/** The last run on each profile: a run takes minutes, and the other profile's may have been another day. */
export type Results = Partial<Record<Profile, Run>>

const file = join(import.meta.dirname, '../.tools/page-bench.json')

export const keptResults = (): Results => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {})

export const keepResults = (results: Results): void => {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify(results, null, 1))
}
