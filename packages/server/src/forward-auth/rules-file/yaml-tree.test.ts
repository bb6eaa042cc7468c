import { expect, test, vi } from 'vitest'
import { parseYaml } from './yaml-tree.ts'

/** Counts how often a parse calls a callback of `Array.prototype.some`, with which the library would compare keys. */
const countComparisons = async (users: number) => {
  const { some } = Array.prototype
  let compared = 0
  const spy = vi.spyOn(Array.prototype, 'some').mockImplementation(function (this: unknown[], test) {
    return some.call(this, (...item) => {
      compared++
      return test(...item)
    })
  })
  const text = Array.from({ length: users }, (_, n) => `user${n}:\n  email: user${n}@example.com\n`).join('')
  const { problems } = await parseYaml(text).finally(() => spy.mockRestore())
  expect(problems).toEqual([])
  return compared
}

test('a map with twice as many keys needs at most about twice as many comparisons', async () => {
  expect(await countComparisons(2000)).toBeLessThanOrEqual(2 * (await countComparisons(1000)) + 1000)
})

test('reports the second of two equal text keys, also in a nested map', async () => {
  const { problems } = await parseYaml('a: 1\nb: { c: 1, c: 2 }\n"a": 2\n? [a]\n: 3\n? [a]\n: 4\n')
  expect(problems).toEqual([
    { line: 2, column: 12, text: 'Map keys must be unique.' },
    { line: 3, column: 1, text: 'Map keys must be unique.' },
  ])
})
