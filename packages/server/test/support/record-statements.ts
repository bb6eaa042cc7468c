import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { expect } from 'vitest'
import { shapeOf } from '../../../../scripts/statements.mjs'

// Records each statement that this worker runs, so that `scripts/statements.mjs` can compare the engines. It writes each statement once,
// so that recording takes almost no time. It does not record the statements of servers in other processes.

const folder = process.env.GATEHOUSE_TEST_STATEMENTS
const noted = new Set<string>()
const repository = join(import.meta.dirname, '../../../..')

const note = (engine: 'sqlite' | 'postgres', text: string) => {
  if (noted.has(text)) return
  noted.add(text)
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 60
  const stack = new Error('the caller').stack ?? ''
  Error.stackTraceLimit = stackTraceLimit
  const line = JSON.stringify({ engine, shape: shapeOf(text), by: callerIn(stack), test: expect.getState().currentTestName })
  appendFileSync(join(folder ?? '', `${process.pid}.jsonl`), `${line}\n`)
}

/** The innermost stack frame that builds statements, as a path in the repository. */
const callerIn = (stack: string): string | undefined => {
  const places = stack
    .split('\n')
    .flatMap(line => /\((?:file:\/\/)?(\/[^)]+):\d+:\d+\)$|at (?:async )?(?:file:\/\/)?(\/\S+):\d+:\d+$/.exec(line)?.slice(1) ?? [])
  return places
    .filter(place => place?.startsWith(`${repository}/packages/`))
    .map(place => place?.slice(repository.length + 1))
    .find(place => !place?.includes('/src/db/') && !place?.endsWith('record-statements.ts'))
}

/** Calls `before` with the arguments of each call of a method. */
const observe = (prototype: object, method: string, before: (first: unknown) => void) => {
  const original: unknown = Reflect.get(prototype, method)
  if (typeof original !== 'function') throw new Error(`there is no method ${method}`)
  Reflect.set(prototype, method, function (this: unknown, ...args: unknown[]) {
    before(args[0])
    return Reflect.apply(original, this, args)
  })
}

const textOf = (query: unknown): string | undefined => {
  if (typeof query === 'string') return query
  return typeof query === 'object' && query !== null && 'text' in query && typeof query.text === 'string' ? query.text : undefined
}

const installed = Symbol.for('gatehouse: statements are noted')
if (folder !== undefined && !(installed in globalThis)) {
  Object.assign(globalThis, { [installed]: true })
  observe(DatabaseSync.prototype, 'prepare', text => typeof text === 'string' && note('sqlite', text))
  observe(pg.Client.prototype, 'query', query => {
    const text = textOf(query)
    if (text !== undefined) note('postgres', text)
  })
}
