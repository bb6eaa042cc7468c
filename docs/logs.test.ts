import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const source = join(import.meta.dirname, '../packages/server/src')
const page = readFileSync(join(import.meta.dirname, 'observability/logs.md'), 'utf8')

/** The comma-separated parts of a text from `start` to the first unmatched `)`. Ignores commas in brackets and strings. */
const argumentsAt = (text: string, start: number): string[] => {
  const found: string[] = []
  let [depth, begun, quote] = [0, start, '']
  for (let at = start; at < text.length; at++) {
    const sign = text[at] ?? ''
    if (quote !== '') {
      if (sign === '\\') at++
      else if (sign === quote) quote = ''
      continue
    }
    if ('\'`"'.includes(sign)) quote = sign
    else if ('([{'.includes(sign)) depth++
    else if (depth === 0 && (sign === ',' || sign === ')')) {
      found.push(text.slice(begun, at).trim())
      begun = at + 1
      if (sign === ')') return found.filter(one => one !== '')
    } else if (')]}'.includes(sign)) depth--
  }
  throw new Error('a bracket is not closed')
}

/** The field names of an object literal. `...failureOf(…)` stands for the four fields of a provider's failure. */
const fieldsOf = (literal: string): string[] => {
  expect(literal).toMatch(/^\{.*\}$/s)
  return argumentsAt(`${literal.slice(1, -1)})`, 0).flatMap(part => {
    if (part.startsWith('...failureOf(')) return ['reason', 'status', 'error', 'cause']
    const [, name = ''] = /^(\w+)(:|$)/.exec(part) ?? []
    expect([part, name]).not.toEqual([part, ''])
    return [name]
  })
}

/** Every line that the source can log: its level, message and fields. Placeholders in messages become `…`. */
const logged = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter(file => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .flatMap(file => {
    const text = readFileSync(join(source, file), 'utf8')
    return [...text.matchAll(/\b(?:log|logger)(?:\.(debug|info|warn|error|fatal|trace)|\[[^\]]+\])\(/g)].flatMap(match => {
      const [fields = '', message = '', ...more] = argumentsAt(text, match.index + match[0].length)
      expect([file, more]).toEqual([file, []])
      const messages = [...message.matchAll(/'((?:[^'\\]|\\.)*)'|`([^`]*)`|"([^"]*)"/g)]
      expect([file, message, messages.length > 0]).toEqual([file, message, true])
      return messages.map(([, one, two, three]) => ({
        message: (one ?? two ?? three ?? '').replace(/\$\{[^}]+\}/g, '…'),
        level: match[1] ?? 'info',
        fields: fieldsOf(fields).toSorted().join(' '),
      }))
    })
  })

/** The rows of the page's tables of messages. */
const listed = [...page.matchAll(/^\| (debug|info|warn|error) \| `([^|]+)` \| ([^|]*) \| [^|]+ \|$/gm)].map(
  ([, level = '', message = '', fields = '']) => ({
    message,
    level,
    fields: [...fields.matchAll(/`(\w+)`/g)]
      .map(([, name]) => name)
      .toSorted()
      .join(' '),
  }),
)

const inOrder = (lines: { message: string; level: string; fields: string }[]) =>
  [...new Set(lines.map(({ message, level, fields }) => `${level} | ${message} | ${fields}`))].toSorted()

test('the page on the log lists every message that the server logs, with its level and fields', () => {
  expect(logged.length).toBeGreaterThan(25)
  expect(inOrder(listed)).toEqual(inOrder(logged))
})

test('the page on the log explains every field', () => {
  const explained = new Set([...page.matchAll(/^\| `(\w+)` \| [^|]+ \|$/gm)].map(([, name = '']) => name))
  const used = new Set(logged.flatMap(({ fields }) => fields.split(' ').filter(Boolean)))
  const always = ['level', 'time', 'msg', 'reqId']
  expect([...explained].toSorted()).toEqual([...used, ...always].toSorted())
})

test('the page on the log lists every background job', () => {
  const jobs = [...readFileSync(join(source, 'background-jobs.ts'), 'utf8').matchAll(/ every\([\w.()]+, '([^']+)'/g)].map(
    ([, job = '']) => job,
  )
  expect(jobs.length).toBeGreaterThan(5)
  const [, sentence = ''] = /Background jobs that can fail: ([^.]+)\./.exec(page) ?? []
  expect(
    sentence
      .replace(/\s+/g, ' ')
      .split(/, (?:and )?/)
      .toSorted(),
  ).toEqual(jobs.toSorted())
})
