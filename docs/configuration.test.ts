import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { environmentFile, withTables } from '../packages/server/build/described-configuration.ts'
import { variableSections } from '../packages/server/src/config/variable-sections.ts'

const root = join(import.meta.dirname, '..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')

/** The variables that the server reads. */
const known: string[] = variableSections.flatMap(({ variables }) => variables.map(({ name }) => name))

/** What to do if a file differs from the server's description of its variables. */
const hint = 'run: node packages/server/build/write-configuration.ts'

test('the configuration reference has one row for every variable and for no other', () => {
  const page = read('docs/configuration.md')
  const rows = [...page.matchAll(/^\| `(GATEHOUSE_\w+)` \| [^|]+ \| [^|]+ \|$/gm)].map(([, name = '']) => name)
  expect(known.length).toBeGreaterThan(30)
  expect(rows.toSorted()).toEqual(known.toSorted())
  expect(withTables(page), hint).toBe(page)
})

test('gatehouse.env lists every variable once, with the default that the reference gives', () => {
  const file = read('packages/server/systemd/gatehouse.env')
  expect(file, hint).toBe(environmentFile())
  const lines = [...file.matchAll(/^#(GATEHOUSE_\w+)=(.*)$/gm)]
  expect(lines.map(([, name]) => name)).toEqual(known)
  expect(file).toContain('\n#GATEHOUSE_LISTEN=127.0.0.1:8080\n')
  // Only comments and NODE_ENV: installing the file sets nothing else.
  expect(file.split('\n').filter(line => line !== '' && !line.startsWith('#'))).toEqual(['NODE_ENV=production'])
  expect(file).not.toMatch(/\]\(|`/)
})

test('README and the main pages of docs name only variables that exist', () => {
  for (const page of [
    'README.md',
    'docs/branding.md',
    'docs/configuration.md',
    'docs/getting-started.md',
    'docs/installing.md',
    'docs/operating.md',
    'docs/embedding.md',
    'docs/single-sign-on.md',
  ]) {
    const named = [...read(page).matchAll(/GATEHOUSE_[A-Z_]*[A-Z]/g)].map(([name]) => name)
    expect(
      named.filter(name => !known.includes(name)),
      page,
    ).toEqual([])
  }
})
