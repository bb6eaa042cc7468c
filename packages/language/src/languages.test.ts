import { expect, test, vi } from 'vitest'
import { bestLanguage } from './languages.ts'

const tags = ['en', 'de', 'fr', 'pt-BR', 'ja', 'zh-Hans', 'uk', 'ar']

test.each([
  ['de-AT,de;q=0.9,en;q=0.8', 'de'],
  ['pt-PT', 'pt-BR'],
  ['zh-CN', 'zh-Hans'],
  ['zh-TW,en;q=0.5', 'en'],
  ['nl,fr;q=0.4,en;q=0.7', 'en'],
  ['en-GB, de', 'en'],
  ['de;q=0, fr', 'fr'],
  ['*', undefined],
  ['nl', undefined],
  ['', undefined],
  [undefined, undefined],
  ['de;q=x', 'de'],
  ['<script>', undefined],
])('for the header %j, chooses %s', (accepted, tag) => expect(bestLanguage(accepted, tags)).toBe(tag))

test('reads only the first 20 ranges of a header', () => {
  const others = (count: number) => Array.from({ length: count }, (_, index) => `x${String.fromCharCode(97 + index)}`)
  expect(bestLanguage([...others(19), 'de'].join(), tags)).toBe('de')
  expect(bestLanguage([...others(20), 'de'].join(), tags)).toBeUndefined()
  const locale = vi.spyOn(Intl, 'Locale')
  expect(bestLanguage('nl,'.repeat(10_000), tags)).toBeUndefined()
  expect(locale.mock.calls.length).toBeLessThanOrEqual(20 + tags.length)
})
