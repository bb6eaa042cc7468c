import { execFile, fork } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { problemsOf } from '../support/configuration.ts'
import { environment } from '../support/environment.ts'

// No command and no setting of an operator may start the test server (decision 085).
const src = join(import.meta.dirname, '../../src')
const entry = join(src, 'testing/test-server.ts')

/** The sources that a program can load, at its start or later. */
const loadedBy = (file: string, found = new Set<string>()): Set<string> => {
  if (found.has(file) || !existsSync(file)) return found
  found.add(file)
  // Imports of types do not exist at run time.
  const text = readFileSync(file, 'utf8').replace(/^import type [^;]*? from '[^']*'$/gm, '')
  for (const [, path = ''] of text.matchAll(/(?:from |import\(|import |new URL\()'(\.[^']+\.ts)'/g))
    loadedBy(join(dirname(file), path), found)
  return found
}
const testingIn = (file: string) => [...loadedBy(join(src, file))].map(one => relative(src, one)).filter(one => one.startsWith('testing/'))

test('neither the command gatehouse nor npm start can load the test server', () => {
  expect(loadedBy(join(src, 'cli/cli.ts')).size).toBeGreaterThan(200)
  expect([testingIn('cli/cli.ts'), testingIn('main.ts')]).toEqual([[], []])
  expect(testingIn('testing/test-server.ts')).toContain('testing/used-codes.store.ts')
})

test('the configuration accepts no in-memory database', () => {
  expect(problemsOf({ GATEHOUSE_DATABASE_URL: 'sqlite::memory:' })).toEqual([
    expect.stringMatching(/^GATEHOUSE_DATABASE_URL must be sqlite:/),
  ])
})

test('the test server starts only as the child of a test', async () => {
  const alone = await promisify(execFile)(process.execPath, [entry], { env: environment({}) }).catch(error => error)
  expect(alone).toMatchObject({ code: 1, stderr: expect.stringContaining('To start a server, run gatehouse start.') })
})

test('the test server does not start in production', async () => {
  const child = fork(entry, { env: environment({ NODE_ENV: 'production' }), silent: true })
  let said = ''
  child.stderr?.on('data', chunk => (said += chunk))
  expect(await new Promise(resolve => child.on('exit', resolve))).toBe(1)
  expect(said).toContain('The test server does not start with NODE_ENV=production.')
})
