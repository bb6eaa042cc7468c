import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const guide = readFileSync(join(import.meta.dirname, 'adding-a-factor.md'), 'utf8')

/** Files and folders that the guide names. */
const named = new Set([...guide.matchAll(/`(packages\/[\w./-]+)`/g)].map(([, path = '']) => path))
const isNamed = (file: string): boolean => named.has(file) || (file.includes('/') && isNamed(file.replace(/\/[^/]+$/, '')))

test('the factor guide lists every file that mentions the newest factor type', () => {
  const files = globSync('packages/*/{src,gallery}/**/*.{ts,tsx}', { cwd: root }).filter(file => !/\.test\.tsx?$/.test(file))
  const naming = files.filter(file => /'Passkey(Factor)?'/.test(readFileSync(join(root, file), 'utf8')))
  expect(naming.length).toBeGreaterThan(30)
  expect(naming.filter(file => !isNamed(file))).toEqual([])
})
