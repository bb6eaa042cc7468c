import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')

/** The variables that the server reads. */
const known = () => {
  const [, list = ''] = /^const names = \[\n([\s\S]+?)\n\] as const/m.exec(read('packages/server/src/config/variables.ts')) ?? []
  return [...list.matchAll(/'(GATEHOUSE_\w+)'/g)].map(([, name = '']) => name)
}

test('the configuration reference has one row for every variable and for no other', () => {
  const rows = [...read('docs/configuration.md').matchAll(/^\| `(GATEHOUSE_\w+)` \| [^|]+ \| [^|]+ \|$/gm)].map(([, name = '']) => name)
  expect(known().length).toBeGreaterThan(30)
  expect(rows.toSorted()).toEqual(known().toSorted())
})

test('README and the pages of docs name only variables that exist', () => {
  for (const page of [
    'README.md',
    'docs/branding.md',
    'docs/configuration.md',
    'docs/getting-started.md',
    'docs/operating.md',
    'docs/embedding.md',
    'docs/single-sign-on.md',
  ]) {
    const named = [...read(page).matchAll(/GATEHOUSE_[A-Z_]*[A-Z]/g)].map(([name]) => name)
    expect(
      named.filter(name => !known().includes(name)),
      page,
    ).toEqual([])
  }
})
