import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Load, Look } from './page-load.ts'
import type { Typing } from './page-typing.ts'
import type { Profile } from './page-visit.ts'

/** One run on one profile: for each target, the loads of all rounds. */
export type Run = {
  at: string
  machine: string
  rounds: number
  looks: Record<string, Look & { packages: number }>
  loads: Record<string, Load[]>
  typing: Record<string, Typing[]>
}

/** The last run of each profile. The profiles can run on different days, because each takes minutes. */
export type Results = Partial<Record<Profile, Run>>

const file = join(import.meta.dirname, '../.tools/page-bench.json')

export const keptResults = (): Results => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {})

export const keepResults = (results: Results): void => {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify(results, null, 1))
}
