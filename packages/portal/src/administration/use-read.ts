import type { Reply } from '@gatehouse/sign-in'
import { useCallback, useEffect, useState } from 'react'
import { failureMessage } from '../failure-message.ts'

/** Something that is read from the server. What is there stays in sight while it is read again. */
export type Read<T> =
  | { is: 'Loading' }
  | { is: 'Loaded'; value: T }
  /** `signedOut`: nobody is signed in any more, or no administrator. */
  | { is: 'Failed'; message: string; signedOut: boolean; gone: boolean }

/**
 * Reads something, and again when it is asked for.
 * @param read stays the same as long as the same is asked for
 * @param since whatever it may have changed with; what is there stays in sight until it is read again
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
  // What belongs to another place is not shown under this one's name.
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
