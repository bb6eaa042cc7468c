import type { PoolClient } from 'pg'
import { expect, test } from 'vitest'
import { joinStatements } from './joined-statements.ts'

const first = 'select 1 /* joined to BEGIN */'
const joined = 'insert 1 /* joined to the next statement */'

/** A connection whose statements wait for an answer, which the test gives in the order in which they were sent. */
const connection = () => {
  const sent: string[] = []
  const waiting: PromiseWithResolvers<unknown>[] = []
  const client = {
    query: (text: string) => {
      const answer = Promise.withResolvers<unknown>()
      sent.push(text)
      waiting.push(answer)
      return answer.promise
    },
  }
  /** The statements of each write. */
  const writes: string[][] = []
  let written = 0
  joinStatements(client as unknown as PoolClient, {
    cork: () => {},
    uncork: () => {
      writes.push(sent.slice(written))
      written = sent.length
    },
  })
  return {
    sent,
    writes,
    run: (text: string) => client.query(text),
    answer: (rows: unknown = []) => waiting.shift()?.resolve({ rows }),
    fail: (message: string) => waiting.shift()?.reject(new Error(message)),
    /** Answers BEGIN and the statement after it. */
    begin: async (text: string) => {
      await client.query('begin')
      const result = client.query(text)
      waiting.shift()?.resolve({})
      await Promise.resolve()
      waiting.shift()?.resolve({})
      await result
    },
  }
}
const settled = () => new Promise(resolve => setImmediate(resolve))

test('BEGIN goes out with a marked first statement, and alone before any other', async () => {
  const marked = connection()
  await marked.run('begin')
  expect(marked.sent).toEqual([])
  const result = marked.run(first)
  expect(marked.sent).toEqual(['begin', first])
  marked.answer()
  marked.answer(['row'])
  expect(await result).toEqual({ rows: ['row'] })

  const other = connection()
  await other.run('begin')
  void other.run('update 1')
  await settled()
  expect(other.sent).toEqual(['begin'])
  other.answer()
  await settled()
  expect(other.sent).toEqual(['begin', 'update 1'])
})

test('a statement that comes while the first waits for BEGIN goes out after the first, or fails with BEGIN', async () => {
  const { run, sent, answer } = connection()
  await run('begin')
  void run('update 1')
  void run('select 2')
  await settled()
  expect(sent).toEqual(['begin'])
  answer()
  await settled()
  expect(sent).toEqual(['begin', 'update 1', 'select 2'])

  const broken = connection()
  await broken.run('begin')
  const both = Promise.allSettled([broken.run('update 1'), broken.run('select 2')])
  broken.fail('no connection')
  expect(await both).toMatchObject(Array(2).fill({ reason: { message: 'no connection' } }))
  expect(broken.sent).toEqual(['begin'])
})

test('statements that wait for no result leave in one write', async () => {
  const { run, begin, writes } = connection()
  await begin(first)
  await settled()
  await run(joined)
  await run(joined)
  void run('select 2')
  await settled()
  void run('commit')
  await settled()
  expect(writes).toEqual([['begin', first], [joined, joined, 'select 2'], ['commit']])
})

test('a first statement fails with the error of BEGIN', async () => {
  const { run, answer, fail } = connection()
  await run('begin')
  const result = run(first)
  fail('no transaction')
  answer()
  await expect(result).rejects.toThrow('no transaction')
})

test('a joined statement is not awaited, and COMMIT fails with its error', async () => {
  const { run, sent, answer, fail, begin } = connection()
  await begin(first)
  await run(joined)
  await run(joined)
  const commit = run('commit')
  expect(sent).toEqual(['begin', first, joined, joined, 'commit'])
  answer()
  fail('refused')
  answer()
  await expect(commit).rejects.toThrow('refused')
})

test('ROLLBACK succeeds after a joined statement that failed, and the next transaction knows nothing of it', async () => {
  const { run, sent, answer, fail, begin } = connection()
  await begin(first)
  await run(joined)
  const rollback = run('rollback')
  fail('refused')
  answer(['rolled back'])
  expect(await rollback).toEqual({ rows: ['rolled back'] })
  await begin(first)
  const commit = run('commit')
  answer(['committed'])
  expect(await commit).toEqual({ rows: ['committed'] })
  expect(sent.slice(-3)).toEqual(['begin', first, 'commit'])
})

test('a transaction without a statement sends nothing when it rolls back', async () => {
  const { run, sent } = connection()
  await run('begin')
  await run('rollback')
  expect(sent).toEqual([])
})

test('outside a transaction, a joined statement is awaited', async () => {
  const { run, answer, fail, begin } = connection()
  await begin(first)
  const commit = run('commit')
  answer()
  await commit
  const result = run(joined)
  fail('refused')
  await expect(result).rejects.toThrow('refused')
})
