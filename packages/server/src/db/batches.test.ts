import { expect, test } from 'vitest'
import { inBatches } from './batches.ts'

/** Finds a row for every key except `nobody`, and records the keys of each statement. */
const createReader = (fault: () => Error | undefined = () => undefined) => {
  const asked: (readonly string[])[] = []
  const find = inBatches(
    () => async keys => {
      asked.push(keys)
      const error = fault()
      if (error) throw error
      return [...new Set(keys)].filter(key => key !== 'nobody').map(key => ({ key, name: `row of ${key}` }))
    },
    row => row.key,
  )
  return { asked, find }
}

test('reads keys requested at the same time with the smallest sufficient statement, and returns the row of each', async () => {
  const { asked, find } = createReader()
  expect(await find('a')).toEqual({ key: 'a', name: 'row of a' })
  const rows = await Promise.all(['b', 'nobody', 'c', 'b', 'd'].map(find))
  expect(rows.map(row => row?.name)).toEqual(['row of b', undefined, 'row of c', 'row of b', 'row of d'])
  expect(asked).toEqual([['a'], ['b', 'nobody', 'c', 'b', 'd', 'd', 'd', 'd']])
})

test('uses several statements for more keys than one statement can read', async () => {
  const { asked, find } = createReader()
  const keys = Array.from({ length: 35 }, (_, n) => `key ${n}`)
  expect((await Promise.all(keys.map(find))).map(row => row?.key)).toEqual(keys)
  expect(asked.map(some => some.length)).toEqual([16, 16, 4])
})

test('reads a key again if it is requested after its statement has started', async () => {
  const { asked, find } = createReader()
  const first = find('a')
  await new Promise(setImmediate)
  const second = find('a')
  await Promise.all([first, second])
  expect(asked).toEqual([['a'], ['a']])
})

test('rejects all requests of a failed statement, and uses a new statement for later requests', async () => {
  let fault: Error | undefined = new Error('the database is away')
  const { find } = createReader(() => fault)
  const tried = await Promise.allSettled(['a', 'b', 'c'].map(find))
  expect(tried.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  fault = undefined
  expect(await find('a')).toEqual({ key: 'a', name: 'row of a' })
})
