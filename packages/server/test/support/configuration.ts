import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { ConfigProblems, readConfig } from '../../src/config/config.ts'

/** A data folder that is removed after the test. */
export const folder = () => {
  const made = mkdtempSync(join(tmpdir(), 'gatehouse-config-'))
  onTestFinished(() => rmSync(made, { recursive: true }))
  return made
}

/** The problems that the configuration has with these variables. */
export const problemsOf = (env: Record<string, string>): string[] => {
  try {
    readConfig({ GATEHOUSE_DATA_DIR: folder(), ...env })
    return []
  } catch (error) {
    if (error instanceof ConfigProblems) return error.problems
    throw error
  }
}
