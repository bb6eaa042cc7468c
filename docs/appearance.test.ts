import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { customProperties } from '../packages/sign-in/src/appearance/custom-properties.ts'
import { parts } from '../packages/sign-in/src/appearance/parts.ts'

const page = readFileSync(join(import.meta.dirname, 'appearance.md'), 'utf8')

/** The names in the first column of the table below a heading. */
const listed = (heading: string) => {
  const [, section = ''] = page.split(`\n## ${heading}\n`)
  const rows = (section.split('\n## ')[0] ?? '').split('\n').filter(line => line.startsWith('| `'))
  return rows.flatMap(row => [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name))
}

test('the page on appearance describes every custom property of the widget once', () => {
  expect(listed('Custom properties').sort()).toEqual([...customProperties].sort())
})

test('the page on appearance describes every part of the widget once', () => {
  expect(listed('Parts').sort()).toEqual([...parts].sort())
})
