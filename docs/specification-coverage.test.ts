import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const page = readFileSync(join(import.meta.dirname, 'specification-coverage.md'), 'utf8')

/** Sentences of each section, a bullet or a row of a table that says several things counted for each. */
const sentences: Record<string, number> = { 1: 13, 2: 49, 3: 37, 4: 30, 5: 21, 6: 5, 7: 30, 8: 38, 9: 16 }

const cells = (line: string) =>
  line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map(cell => cell.trim())
const sections: Record<string, string[][]> = Object.fromEntries(
  page
    .split(/^## §/m)
    .slice(1)
    .map(text => [
      text[0],
      text
        .split('\n')
        .filter(line => line.startsWith('| '))
        .slice(2)
        .map(cells),
    ]),
)
const rows = Object.values(sections).flat()

const contents = new Map<string, string | undefined>()
const contentOf = (file: string) => {
  if (!contents.has(file)) {
    try {
      contents.set(file, readFileSync(join(root, file), 'utf8'))
    } catch {
      contents.set(file, undefined)
    }
  }
  return contents.get(file)
}

/** As it stands between the quotes of a source: ours is TypeScript, in single, double or backward quotes. */
const spellings = (title: string) => [title, title.replaceAll("'", "\\'")]
const quoted = (title: string) => spellings(title).flatMap(text => [`'${text}`, `"${text}`, `\`${text}`, ` ${text}`, `} ${text}`])

describe('the table of the specification', () => {
  it.each(Object.entries(sentences))('has every sentence of §%s', (section, least) => {
    const given = sections[section]?.map(([sentence]) => sentence) ?? []
    expect(given.length).toBeGreaterThanOrEqual(least)
    expect(new Set(given).size).toBe(given.length)
  })

  it('has no empty cell, and each row has a test or says who will have one', () => {
    const lacking = rows.filter(
      row =>
        row.length !== 3 || row.includes('') || !/“.+”|server, issue \d|decisions §\d/.test(row[2] ?? '') || !/`.+`/.test(row[1] ?? ''),
    )
    expect(lacking).toEqual([])
  })

  it('names files that are there', () => {
    const named = rows.flatMap(row => [...(row.join(' ').match(/`(packages|e2e|docs)\/[^`]+`/g) ?? [])].map(name => name.slice(1, -1)))
    expect(named.length).toBeGreaterThan(rows.length)
    expect([...new Set(named)].filter(name => contentOf(name) === undefined)).toEqual([])
  })

  it('names tests that are there', () => {
    const named = rows.flatMap(row => {
      let file = ''
      return [...(row[2] ?? '').matchAll(/`([^`]+\.(?:test|spec)\.tsx?)`|“([^”]+)”/g)].flatMap(([, path, title]) => {
        if (path) file = path
        return title ? [{ file, title }] : []
      })
    })
    expect(named.length).toBeGreaterThanOrEqual(rows.length - 10)
    expect(named.filter(({ file, title }) => !quoted(title).some(text => contentOf(file)?.includes(text)))).toEqual([])
  })
})
