import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseJsonBody } from './json-body.ts'

const parse = (text: string) => parseJsonBody(Buffer.from(text))

test('parses JSON values of limited depth as JSON.parse does', () => {
  const usual = fc.json({ maxDepth: 5 }).filter(text => !/__proto__|constructor|prototype|\\u0000|\0/.test(text))
  fc.assert(
    fc.property(usual, text => {
      expect(parse(text)).toEqual(JSON.parse(text))
    }),
  )
})

test.each([
  ['quotes and colons inside strings', String.raw`{"a":"\"b\":","c":"\\\":"}`],
  ['a string that begins with a colon', '["x",":y",": z"]'],
  ['the same name in two objects', '[{"a":1},{"a":2},{"a":{"a":3}}]'],
  ['names that differ in case', '{"a":1,"A":2}'],
  ['white space before the colon', '{"a" \n\t: 1}'],
])('accepts %s', (_, text) => expect(parse(text)).toEqual(JSON.parse(text)))

test.each([
  ['nothing', '', 'body: is empty'],
  ['no JSON', '{', 'body: is not JSON'],
  ['a name twice', '{"a":1,"a":1}', 'body: contains a name twice in one object'],
  ['a name twice, deep inside', '{"x":[{"a":1,"b":2,"a":1}]}', 'body: contains a name twice in one object'],
  ['a name twice, one escaped', String.raw`{"a":1,"\u0061":2}`, 'body: contains a name twice in one object'],
  ['a name twice, with quotes in it', String.raw`{"\"":1,"\"":2}`, 'body: contains a name twice in one object'],
  ['__proto__', '{"__proto__":{}}', 'body: has a name that is not allowed'],
  ['constructor, inside', '{"a":{"constructor":1}}', '/a: has a name that is not allowed'],
  ['NUL', String.raw`{"a":"x\u0000"}`, '/a: holds a NUL character'],
  ['half a character', String.raw`{"a":["\ud800"]}`, '/a/0: holds half a character'],
  ['half a character in a name', String.raw`{"\ud800":1}`, 'body: holds half a character'],
  ['too much depth', `${'['.repeat(14)}${']'.repeat(14)}`, 'body: is nested too deeply'],
  ['a byte order mark', '\ufeff{}', 'body: is not JSON'],
])('refuses %s', (_, text, message) => expect(() => parse(text)).toThrow(new Error(message)))

test('refuses bytes that are not UTF-8', () => {
  expect(() => parseJsonBody(Buffer.from([0x22, 0xc3, 0x28, 0x22]))).toThrow('body: is not UTF-8')
})

test('refuses any object with a repeated name', () => {
  const names = fc.uniqueArray(fc.string({ unit: 'grapheme', minLength: 0, maxLength: 8 }), { minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(names, fc.nat(), (unique, pick) => {
      const allowed = unique.filter(name => !['__proto__', 'constructor', 'prototype'].includes(name) && !name.includes('\0'))
      fc.pre(allowed.length > 0)
      const body = (list: string[]) => `{${list.map(name => `${JSON.stringify(name)}: 1`).join(',')}}`
      expect(Object.keys(Object(parse(body(allowed))))).toHaveLength(allowed.length)
      expect(() => parse(body([...allowed, allowed[pick % allowed.length] ?? '']))).toThrow('contains a name twice')
    }),
  )
})
