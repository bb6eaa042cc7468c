import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const folder = join(import.meta.dirname, 'decisions')
const read = (name: string) => readFileSync(join(folder, name), 'utf8')

/** The line under a title that refers to other records: `Changed by [047](…)`, `Changes [010](…), [017](…) and [019](…)`. */
const relationsOf = (text: string) =>
  [
    ...(text.split('**Context.**')[0] ?? '')
      .replace(/\s+/g, ' ')
      .matchAll(/(Changes|Supersedes|Changed by|Superseded by) ((?:\[\d{3}\]\([^)]*\)(?:, | and )?)+)/g),
  ].flatMap(([, kind = '', links = '']) => [...links.matchAll(/\[(\d{3})\]/g)].map(([, number = '']) => ({ kind, number })))

const records = readdirSync(folder)
  .toSorted()
  .filter(name => name !== 'README.md')
  .map(file => {
    const text = read(file)
    const [, number = '', title = ''] = /^# (\d{3}) (.+)\n/.exec(text) ?? []
    return { file, number, title, relations: relationsOf(text) }
  })

const rows = [...read('README.md').matchAll(/^\| (\d{3}) \| \[(.+)\]\((.+)\) \| (.+) \|$/gm)].map(
  ([, number = '', title = '', file = '', status = '']) => ({ number, title, file, status }),
)

test('the index lists every decision record once, in order, under its own title', () => {
  expect(rows.length).toBeGreaterThan(50)
  expect(rows.map(({ number, title, file }) => ({ number, title, file }))).toEqual(
    records.map(({ number, title, file }) => ({ number, title, file })),
  )
  expect(records.map(({ file }) => file.slice(0, 3))).toEqual(records.map((_, i) => String(i + 1).padStart(3, '0')))
  expect(records.filter(({ file, number }) => !file.startsWith(`${number}-`))).toEqual([])
})

test('every status in the index is a known one and names only records that exist', () => {
  const numbers = records.map(({ number }) => number)
  for (const { number, status } of rows) {
    expect(status, number).toMatch(/^(Accepted|(Changed|Superseded) by \d{3}(, \d{3})*)$/)
    for (const named of status.match(/\d{3}/g) ?? []) expect(numbers, `status of ${number}`).toContain(named)
  }
})

test('every status in the index is the one that the record states', () => {
  const stated = records.map(({ relations }) => {
    const by = (kind: string) => relations.filter(relation => relation.kind === kind).map(relation => relation.number)
    const [superseded, changed] = [by('Superseded by'), by('Changed by')]
    if (superseded.length > 0) return `Superseded by ${superseded.join(', ')}`
    return changed.length > 0 ? `Changed by ${changed.join(', ')}` : 'Accepted'
  })
  expect(rows.map(({ status }) => status)).toEqual(stated)
})

test('when one record changes or supersedes another, each names the other', () => {
  const pairs = (forward: string, back: string) => ({
    forward: records.flatMap(({ number, relations }) =>
      relations.filter(({ kind }) => kind === forward).map(relation => `${relation.number} by ${number}`),
    ),
    back: records.flatMap(({ number, relations }) =>
      relations.filter(({ kind }) => kind === back).map(relation => `${number} by ${relation.number}`),
    ),
  })
  for (const [forward, back] of [
    ['Changes', 'Changed by'],
    ['Supersedes', 'Superseded by'],
  ] as const) {
    const { forward: from, back: to } = pairs(forward, back)
    expect(from.length).toBeGreaterThan(0)
    expect(from.toSorted()).toEqual(to.toSorted())
  }
})
