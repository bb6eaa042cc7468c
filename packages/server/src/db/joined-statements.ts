import type { Writable } from 'node:stream'
import type { PoolClient } from 'pg'
import { isJoinedToBegin, isJoinedToNext } from './statement-marks.ts'

/** The result of a statement that is not read. Kysely takes these fields from a result. */
const unread = { command: '', rowCount: 0, rows: [] }

/**
 * Saves round trips of transactions, on a connection with `pipeline`: BEGIN waits for the first statement, and goes out with it if it is
 * marked with `joinedToBegin`. Statements marked with `joinedToNext` are not awaited. If one fails, PostgreSQL refuses all that follow,
 * COMMIT included, and the next statement gets its error.
 * @param stream the connection's stream. Statements that follow each other without a wait leave in one write, which wakes PostgreSQL once
 */
export const joinStatements = (client: PoolClient, stream: Pick<Writable, 'cork' | 'uncork'>): void => {
  const { query } = client
  let isCorked = false
  const cork = () => {
    if (isCorked) return
    isCorked = true
    stream.cork()
    // A tick ends when no promise is left to continue.
    process.nextTick(() => {
      isCorked = false
      stream.uncork()
    })
  }
  const send = (text: unknown, values: unknown, more: readonly unknown[] = []): Promise<unknown> => {
    cork()
    return Reflect.apply(query, client, [text, values, ...more])
  }
  let isBeginHeld = false
  /** A BEGIN that was sent alone, until it is answered. */
  let begun: Promise<unknown> | undefined
  let isOpen = false
  /** Statements that were sent and not awaited. */
  let ahead: Promise<unknown>[] = []

  const sendAhead = (text: string, values: unknown) => {
    const sent = send(text, values)
    // Without a handler, a failure would end the process before the next statement takes it.
    sent.catch(() => {})
    ahead.push(sent)
  }

  const run = async (text: unknown, values: unknown, ...more: unknown[]) => {
    if (typeof text !== 'string') return send(text, values, more)
    if (text === 'begin') {
      isBeginHeld = true
      return unread
    }
    if (isBeginHeld) {
      isBeginHeld = false
      if (text === 'rollback') return unread
      isOpen = true
      if (isJoinedToBegin(text)) sendAhead('begin', [])
      else {
        begun = send('begin', [])
        try {
          await begun
        } finally {
          begun = undefined
        }
      }
    }
    // The first statement waited before this one, so it goes out before this one.
    else if (begun) await begun
    if (isOpen && isJoinedToNext(text)) {
      sendAhead(text, values)
      return unread
    }
    const result = send(text, values, more)
    const before = ahead
    ahead = []
    const isEnd = text === 'commit' || text === 'rollback'
    if (isEnd) isOpen = false
    // A transaction that rolls back has reported its failure already.
    if (text === 'rollback' || before.length === 0) return result
    return (await Promise.all([...before, result])).at(-1)
  }

  Object.assign(client, { query: run })
}
