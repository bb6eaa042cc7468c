import { hash } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { checkBreachedList, isBreached } from './breached-passwords.ts'

const fileOf = (text: string) => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-breached-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'list.txt')
  writeFileSync(path, text)
  return path
}
const sha1 = (password: string) => hash('sha1', password).toUpperCase()
const sorted = (count: number) => Array.from({ length: count }, (_, n) => sha1(`password ${n}`)).sort()

test.each([
  ['HASH:COUNT, CRLF', (one: string, n: number) => `${one}:${(n % 9999) + 1}\r\n`],
  ['HASH:COUNT, LF', (one: string, n: number) => `${one}:${(n % 9999) + 1}\n`],
  ['HASH alone, LF', (one: string) => `${one}\n`],
  ['lower-case digits', (one: string) => `${one.toLowerCase()}\r\n`],
])('PW-05: finds every entry of a list and nothing else: %s', (_, form) => {
  for (const count of [1, 2, 3, 7, 100, 3000]) {
    const path = fileOf(sorted(count).map(form).join(''))
    checkBreachedList(path)
    for (let n = 0; n < count; n += Math.ceil(count / 200)) expect([n, isBreached(path, `password ${n}`)]).toEqual([n, true])
    for (let n = count; n < count + 200; n++) expect([n, isBreached(path, `password ${n}`)]).toEqual([n, false])
  }
})

test('PW-05: the last line may lack its line end', () => {
  const path = fileOf(sorted(500).join('\r\n'))
  checkBreachedList(path)
  expect(Array.from({ length: 500 }, (_, n) => isBreached(path, `password ${n}`)).every(Boolean)).toBe(true)
})

test('PW-05: the median lookup in a list of 300,000 entries takes less than 1 ms, even with unevenly distributed hashes', () => {
  const even = fileOf(
    sorted(300_000)
      .map(one => `${one}:12\r\n`)
      .join(''),
  )
  // Hashes clustered in one range make interpolation useless.
  const uneven = fileOf(
    Array.from({ length: 300_000 }, (_, n) => `${'0'.repeat(32)}${(n * 2).toString(16).padStart(8, '0').toUpperCase()}:1\n`).join(''),
  )
  for (const path of [even, uneven]) {
    const took = Array.from({ length: 1000 }, (_, n) => {
      const begun = performance.now()
      isBreached(path, `password ${n * 299}`)
      return performance.now() - begun
    }).sort((a, b) => a - b)
    // The median, because another process may have used the core during the slowest lookup.
    expect(took[500]).toBeLessThan(1)
  }
})

test.each([
  ['', 'is empty'],
  ['<html>404</html>\n', 'has a line that is not the SHA-1 hash'],
  [`${sorted(200).reverse().join('\n')}\n`, 'is not sorted by hash'],
  [
    `${sorted(5000)
      .toSorted((a, b) => a.slice(-9).localeCompare(b.slice(-9)))
      .join('\n')}\n`,
    'is not sorted by hash',
  ],
  // An incomplete download.
  [sorted(200).join('\n').slice(0, -7), 'has a line that is not the SHA-1 hash'],
  [`${sorted(100).join('\n')}\n${'x'.repeat(5000)}`, 'has a line that is not the SHA-1 hash'],
  // NTLM hashes, which Have I Been Pwned offers too.
  [`${'0'.repeat(32)}:3\n`, 'has a line that is not the SHA-1 hash'],
])('PW-05: reports at the start a list that cannot be searched (%#)', (text, sentence) => {
  expect(() => checkBreachedList(fileOf(text))).toThrow(sentence)
})

test('PW-05: reports a folder and a missing file at the start, and closes every file', () => {
  const path = fileOf(`${sorted(10).join('\n')}\n`)
  const open = () => readdirSync('/proc/self/fd').length
  const before = open()
  expect(() => checkBreachedList(join(path, '..'))).toThrow(/is not a file|EISDIR/)
  expect(() => checkBreachedList(`${path}.not`)).toThrow('cannot be read (ENOENT)')
  isBreached(path, 'password 1')
  expect(open()).toBe(before)
})
