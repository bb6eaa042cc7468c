import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { securityCoverage } from '../scripts/security-coverage.mjs'

const { page, unexplained, known, tested } = securityCoverage()

test('the table of security requirements is up to date; if not, run node scripts/security-coverage.mjs', () => {
  expect(readFileSync(join(import.meta.dirname, 'security-coverage.md'), 'utf8')).toBe(page)
})

test('every requirement has a test, or a reason why it is not met yet', () => {
  expect(unexplained).toEqual([])
})

test('every id in a test title is the id of a requirement', () => {
  // Titles also contain the row ids of the attack suite and of the reliability figures.
  expect(tested.filter(id => !known.has(id) && !/^(A\d\d|RX-\d+|RT-1)$/.test(id))).toEqual([])
})
