import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readVersion, versionOf } from '../scripts/version.mjs'

test('every manifest has the version that the changelog states', () => {
  expect(readVersion(join(import.meta.dirname, '..'))).toMatch(/^\d+\.\d+\.\d+/)
})

test('reads the version from the heading of the newest release in the changelog', () => {
  expect(versionOf('# Changelog\n\n## Unreleased\n\n## [1.2.0] - 2027-03-01\n\n## [1.1.0] - 2027-01-01\n')).toBe('1.2.0')
  expect(versionOf('# Changelog\n\n## 2.0.0-rc.1\n')).toBe('2.0.0-rc.1')
  expect(versionOf('# Changelog\n\n## Unreleased\n\nAs in 1.0.0.\n')).toBeUndefined()
})

test('a release fails if a manifest and the changelog have different versions, and the error names the manifest', () => {
  const root = mkdtempSync(join(tmpdir(), 'gatehouse-version-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  mkdirSync(join(root, 'packages/server'), { recursive: true })
  writeFileSync(join(root, 'package.json'), '{ "version": "1.2.0" }')
  writeFileSync(join(root, 'packages/server/package.json'), '{ "version": "1.1.0" }')
  writeFileSync(join(root, 'CHANGELOG.md'), '# Changelog\n\n## [1.2.0] - 2027-03-01\n')
  expect(() => readVersion(root)).toThrow('CHANGELOG.md says version 1.2.0. Write it into packages/server/package.json (1.1.0).')
})
