import type { Failure, Reply } from '@gatehouse/sign-in'
import { useOneCall } from '@gatehouse/ui/hooks/use-one-call.ts'
import { type Reducer, useReducer, useRef } from 'react'
import type { PortalApi } from '../calls/portal-api.ts'
import { englishAccount } from '../messages/en-account.ts'
import { accountFailure } from './action-failure.ts'
import { atRest, type OwnAct, type OwnActEvent, ownAct, type Problem } from './action-state.ts'

/** What a section of the account page is handed to do its acts with. */
export type SectionProps = {
  hasPassword: boolean
  username: string
  api: Pick<PortalApi, 'userPasswordConfirm'>
  /** Has what the page shows brought up to date. */
  refresh: () => Promise<void>
  /** Leaves for the sign-in page: nobody is signed in any more. */
  leave: () => void
}

/** What came of a call: it is done, has one more step, or was refused. */
export type Outcome<What> = { news: string } | { next: What } | { failure: Failure; problem?: Problem | undefined }

/** Makes the call of an act. It is made once more where the password had to be confirmed first. */
type Run<What> = (signal: AbortSignal) => Promise<Outcome<What>>

/** What an answer that says nothing means. */
export const afterVoid = (reply: Reply<void>, news: string, problemOf?: (failure: Failure) => Problem | undefined): Outcome<never> =>
  reply.ok ? { news } : { failure: reply.failure, problem: problemOf?.(reply.failure) }

const isStale = ({ code }: Failure) => code === 'ReauthenticationRequired'

/**
 * A call that carries the password itself. Where the sign-in is too long ago for it, that password is confirmed first and nobody is asked
 * a second time.
 */
export const withPassword = async <T>(
  api: Pick<PortalApi, 'userPasswordConfirm'>,
  password: string,
  signal: AbortSignal,
  call: () => Promise<Reply<T>>,
): Promise<Reply<T>> => {
  const reply = await call()
  if (reply.ok || password === '' || !isStale(reply.failure)) return reply
  const confirmed = await api.userPasswordConfirm({ password }, signal)
  return confirmed.ok ? call() : confirmed
}

/** The acts of a section: one at a time, each in a window, with the password in between where the server wants it. */
export const useOwnAct = <What>({ api, hasPassword, refresh, leave }: SectionProps) => {
  const [state, dispatch] = useReducer<OwnAct<What>, [OwnActEvent<What>]>(ownAct satisfies Reducer<OwnAct<What>, OwnActEvent<What>>, atRest)
  const call = useOneCall(dispatch)
  const begun = useRef<Run<What> | undefined>(undefined)
  const shut = useRef(false)

  const go = async (run: Run<What>, signal: AbortSignal) => {
    const outcome = await run(signal)
    if (signal.aborted) return
    if (!('failure' in outcome)) await refresh()
    if (signal.aborted) return
    call.end()
    if ('news' in outcome) return dispatch({ type: 'done', news: outcome.news })
    if ('next' in outcome) return dispatch({ type: 'next', what: outcome.next })
    const { failure, problem } = outcome
    if (failure.status === 401) return leave()
    if (isStale(failure) && hasPassword) return dispatch({ type: 'stale' })
    const message = isStale(failure) ? englishAccount.signInAgain : accountFailure(failure)
    dispatch({ type: 'failed', problem: problem ?? { at: 'page', message } })
  }

  const start = async (run: Run<What>) => {
    if (call.isRunning()) return
    begun.current = run
    shut.current = false
    const signal = call.begin()
    dispatch({ type: 'sent' })
    await go(run, signal)
  }

  const confirm = async (password: string) => {
    if (call.isRunning() || !begun.current) return
    shut.current = false
    const signal = call.begin()
    dispatch({ type: 'sent' })
    const reply = await api.userPasswordConfirm({ password }, signal)
    if (signal.aborted) return
    if (reply.ok) {
      dispatch({ type: 'proved' })
      if (shut.current) return call.end()
      return go(begun.current, signal)
    }
    call.end()
    if (reply.failure.status === 401) return leave()
    const wrong = /^password: (.+)$/s.exec(reply.failure.message)?.[1]
    const problem = wrong
      ? { at: 'password', message: englishAccount.passwordRefused(wrong) }
      : { at: 'page', message: accountFailure(reply.failure) }
    dispatch({ type: 'failed', problem })
  }

  return {
    state,
    choose: (what: What) => {
      shut.current = false
      dispatch({ type: 'chosen', what })
    },
    close: () => {
      shut.current = true
      dispatch({ type: 'closed' })
    },
    edit: () => dispatch({ type: 'edited' }),
    /** What is wrong with the input is known before anything is sent. */
    fail: (problem: Problem) => dispatch({ type: 'failed', problem }),
    start,
    confirm,
  }
}
export type UsedAct<What> = ReturnType<typeof useOwnAct<What>>
