import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const page = readFileSync(join(import.meta.dirname, 'specification-coverage.md'), 'utf8')

/** The number of statements in each section. A bullet or table row with several statements counts as several. */
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

/** The index of the parenthesis that closes the one before `from`. Skips strings and line comments. */
const closing = (source: string, from: number) => {
  const parts = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|\/\/[^\n]*|[()]/g
  parts.lastIndex = from
  for (let depth = 1, part = parts.exec(source); part; part = parts.exec(source)) {
    if (part[0] === '(') depth++
    if (part[0] === ')' && --depth === 0) return part.index
  }
  return source.length
}

/** The titles of a file's tests and groups: the first string of `it(`, `test(`, `describe(` and of the call after `each(…)`. */
const titlesOf = (source: string) =>
  [...source.matchAll(/\b(?:it|test|describe)(?:\.\w+)*\(/g)].flatMap(call => {
    const inside = call.index + call[0].length
    const rest = call[0].endsWith('.each(') ? source.slice(closing(source, inside) + 1).replace(/^\s*\(/, '') : source.slice(inside)
    const title = /^\s*(?:'((?:\\.|[^'\\])*)'|"((?:\\.|[^"\\])*)"|`((?:\\.|[^`\\])*)`)/.exec(rest)
    return title ? [(title[1] ?? title[2] ?? title[3] ?? '').replace(/\\(.)/g, '$1')] : []
  })

/** Whether a test's title starts with this text, or contains it at the start of a word. */
const hasTest = (file: string, named: string) =>
  titlesOf(contentOf(file) ?? '').some(title => title.startsWith(named) || title.includes(` ${named}`))

describe('the titles of tests', () => {
  it('are read from test calls only', () => {
    const source = `it('one', () => expect('no title').toBe(f(')')))
      test.each([['a (', 1], [f("b"), 2]])('two %s', () => {}) // it says 'nothing'
      describe("it's three", () => it.each(rows.map(row => row))('four', run))
      case 'AuthSuccessful': test(answer.tag, run)`
    expect(titlesOf(source)).toEqual(['one', 'two %s', "it's three", 'four'])
  })
})

describe('the table of the specification', () => {
  it.each(Object.entries(sentences))('has at least as many different rows as §%s has statements', (section, least) => {
    const given = sections[section]?.map(([sentence]) => sentence) ?? []
    expect(given.length).toBeGreaterThanOrEqual(least)
    expect(new Set(given).size).toBe(given.length)
  })

  it('has no empty cell, and each row names a test, an open issue or a decision', () => {
    const lacking = rows.filter(
      row =>
        row.length !== 3 || row.includes('') || !/“.+”|server, issue \d|decisions §\d/.test(row[2] ?? '') || !/`.+`/.test(row[1] ?? ''),
    )
    expect(lacking).toEqual([])
  })

  it('names existing files', () => {
    const named = rows.flatMap(row => [...(row.join(' ').match(/`(packages|e2e|docs)\/[^`]+`/g) ?? [])].map(name => name.slice(1, -1)))
    expect(named.length).toBeGreaterThan(rows.length)
    expect([...new Set(named)].filter(name => contentOf(name) === undefined)).toEqual([])
  })

  it('names existing tests', () => {
    const named = rows.flatMap(row => {
      let file = ''
      return [...(row[2] ?? '').matchAll(/`([^`]+\.(?:test|spec)\.tsx?)`|“([^”]+)”/g)].flatMap(([, path, title]) => {
        if (path) file = path
        return title ? [{ file, title }] : []
      })
    })
    expect(named.length).toBeGreaterThanOrEqual(rows.length - 10)
    expect(named.filter(({ file, title }) => !hasTest(file, title))).toEqual([])
  })
})
