import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { customProperties } from '../packages/sign-in/src/appearance/custom-properties.ts'
import { parts } from '../packages/sign-in/src/appearance/parts.ts'
import { english } from '../packages/sign-in/src/messages/en.ts'

const page = readFileSync(join(import.meta.dirname, 'appearance.md'), 'utf8')

/** The names in the first column of the table under a heading. */
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

test('the table of texts in the widget’s README matches the English texts', () => {
  const readme = readFileSync(join(import.meta.dirname, '../packages/sign-in/README.md'), 'utf8')
  const [, table = ''] = readme.split('| text | where it shows | English |\n| --- | --- | --- |\n')
  const rows = (table.split('\n\n')[0] ?? '').split('\n').map(row => row.split(' | '))
  const textOf = (name: string) => {
    const keys = name.replace(/\['([^']+)'\]/g, '.$1').split('.')
    return keys.reduce<unknown>((all, key) => (all as Record<string, unknown> | undefined)?.[key], english)
  }
  const named = rows.map(([names = '', , text = '']) => {
    const values = [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => textOf(name))
    return { names, said: text.replace(/ \|$/, ''), expected: values.join(', ') }
  })
  expect(named.length).toBeGreaterThan(8)
  expect(named.map(({ names, said }) => [names, said])).toEqual(named.map(({ names, expected }) => [names, expected]))
})
