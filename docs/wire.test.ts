import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { accountRoutes, administrationRoutes, approverRoutes, passkeyRoutes, pushRoutes, type Route, routes } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { wireTables, withTables } from './wire-tables.ts'

const page = readFileSync(join(import.meta.dirname, 'wire.md'), 'utf8')

test('wire.md lists the calls, fields and outcomes of the wire format; node docs/write-wire.ts updates it', () => {
  for (const name of Object.keys(wireTables)) expect(page).toContain(`<!-- /${name} -->`)
  expect(page).toBe(withTables(page))
})

test('wire.md lists every call exactly once in its tables', () => {
  const tables: Record<string, Route>[] = [routes, pushRoutes, passkeyRoutes, accountRoutes, administrationRoutes, approverRoutes]
  const paths = tables.flatMap(table => Object.values(table).map(({ path }) => path))
  expect(paths.length).toBeGreaterThan(80)
  const listed = `${wireTables.calls}\n${wireTables.others}`
  for (const path of paths) expect([path, listed.split(new RegExp(`[\` ]${path}\``)).length - 1]).toEqual([path, 1])
})

test('each table describes every value of its schema', () => {
  expect(wireTables.shapes).not.toMatch(/\| *\||undefined|\[object|unknown/)
  for (const [of, row] of [
    ['LoginRequest', '| `password` | string (at most 1024 bytes) |'],
    ['MagicLinkRequest', '1 to 5 requests'],
    ['ErrorBody', '| `typed-error` (optional) | [VerifyError](#verifyerror) |'],
    ['AuthOutcome', '| `AuthRequiresFactorReset` | string (a UUID);'],
    ['AuthOutcome', '| `AuthSuccessful` | [AuthToken](#authtoken)'],
    ['VerifyError', '`"FactorTypeMismatch"`'],
  ])
    expect(wireTables.shapes?.split(`### ${of}\n`)[1]?.split('### ')[0]).toContain(row)
})

test('wire.md has each heading that the conformance checks name', () => {
  const folder = join(import.meta.dirname, '../packages/conformance/src/checks')
  const named = readdirSync(folder).flatMap(file =>
    [...readFileSync(join(folder, file), 'utf8').matchAll(/'wire\.md: ([^']+)'/g)].map(([, heading]) => heading),
  )
  expect(named.length).toBeGreaterThan(20)
  const headings = [...page.matchAll(/^#{2,3} (.+)$/gm)].map(([, heading]) => heading)
  expect([...new Set(named)].filter(heading => !headings.includes(heading))).toEqual([])
})
