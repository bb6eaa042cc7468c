import type { Reply } from '@gatehouse/sign-in'
import { useCallback, useEffect, useState } from 'react'
import { failureMessage } from '../failure-message.ts'

/** The state of data that the page loads from the server. */
export type Read<T> =
  | { is: 'Loading' }
  | { is: 'Loaded'; value: T }
  /** `signedOut`: the session has ended, or the user is no longer an administrator. */
  | { is: 'Failed'; message: string; signedOut: boolean; gone: boolean }

/**
 * Loads data from the server, and loads it again on request. Meanwhile, the previous data stays visible.
 * @param read must stay the same function for the same request
 * @param since when this value changes, the data loads again
 */
export const useRead = <T>(read: (signal: AbortSignal) => Promise<Reply<T>>, since?: unknown) => {
  const [found, setFound] = useState<{ by: typeof read; state: Read<T> }>()
  const [turn, setTurn] = useState(0)

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new turn or state reads again
  useEffect(() => {
    const calledOff = new AbortController()
    void read(calledOff.signal).then(reply => {
      if (!calledOff.signal.aborted) setFound({ by: read, state: stateOf(reply) })
    })
    return () => calledOff.abort()
  }, [read, turn, since])

  const again = useCallback(() => setTurn(before => before + 1), [])
  // Don't show the result of another route.
  const state: Read<T> = found?.by === read ? found.state : { is: 'Loading' }
  return [state, again] as const
}

const stateOf = <T>(reply: Reply<T>): Read<T> => {
  if (reply.ok) return { is: 'Loaded', value: reply.value }
  const { status } = reply.failure
  return {
    is: 'Failed',
    message: failureMessage(reply.failure),
    signedOut: status === 401 || status === 403,
    gone: status === 404,
  }
}
