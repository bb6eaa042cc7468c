// Compares the statements that the tests ran on SQLite with those that they ran on PostgreSQL: see decision 082.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * A statement without what differs between the engines or between calls: the spelling and number of its values, comments, row locks and syncs.
 * @param {string} text
 */
export const shapeOf = text =>
  text
    .replace(/\/\*.*?\*\//gs, '')
    .replace("set_config('synchronous_commit', 'off', true), ", '')
    .replace(/\$\d+/g, '?')
    .replace(/ for (no key )?update\b/g, '')
    .replace(/^begin immediate$/, 'begin')
    .replace(/\(\?(, \?)+\)/g, '(?)')
    .replace(/(\((?:[^()]*)\))(, \1)+/g, '$1')
    .replace(/\s+/g, ' ')
    .trim()

/**
 * @param {string} folder the folder of the files that `record-statements.ts` wrote
 * @returns the statements of the server that ran on SQLite only, each with the first place and test that ran it
 */
export const missingOnPostgres = folder => {
  const files = existsSync(folder) ? readdirSync(folder) : []
  const notes = files.flatMap(file =>
    readFileSync(join(folder, file), 'utf8')
      .split('\n')
      .filter(line => line !== '')
      .map(line => JSON.parse(line)),
  )
  const ran = new Set(notes.filter(({ engine }) => engine === 'postgres').map(({ shape }) => shape))
  const missing = new Map()
  for (const { engine, shape, by, test } of notes)
    if (engine === 'sqlite' && by?.includes('/src/') && !ran.has(shape) && !missing.has(shape)) missing.set(shape, { shape, by, test })
  return [...missing.values()].toSorted((a, b) => a.by.localeCompare(b.by))
}

if (import.meta.main) {
  const folder = process.argv[2] ?? 'test-results/statements'
  for (const { shape, by, test } of missingOnPostgres(folder)) process.stdout.write(`${by}\n    ${shape}\n    ${test}\n`)
}
