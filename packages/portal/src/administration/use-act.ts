import type { Failure, Reply } from '@gatehouse/sign-in'
import { useCallback, useReducer, useRef } from 'react'
import { failureMessage } from '../failure-message.ts'
import type { AdministrationApi } from './administration-api.ts'
import { type Act, acting } from './user-action.ts'
import { words } from './words.ts'

/** What is typed in the window of an act: the address of a user to add, or of one to delete. */
export type Typed = { userIdent: string; zone: string }

type ActApi = Pick<AdministrationApi, 'add' | 'unlock' | 'forceReset' | 'endSessions' | 'removeFactor' | 'remove' | 'userConfirmPassword'>

const isStale = ({ code }: Failure) => code === 'ReauthenticationRequired'

/**
 * Does things to users, each after its window has asked.
 * @param onDone something is another way now than it is shown
 */
export const useAct = (api: ActApi, onDone: (kind: Act['kind']) => void) => {
  const [state, dispatch] = useReducer(acting, { is: 'AtRest' })
  const call = useRef<{ kind: Act['kind']; make: () => Promise<Reply<void>> }>(undefined)

  const run = async () => {
    if (!call.current) return
    const { kind, make } = call.current
    const reply = await make()
    if (reply.ok) {
      dispatch({ type: 'done' })
      return onDone(kind)
    }
    if (isStale(reply.failure)) return dispatch({ type: 'stale' })
    dispatch({ type: 'failed', problem: { at: 'page', message: failureMessage(reply.failure) } })
  }

  const submit = (act: Act, typed: Typed) => {
    const problem = problemOf(act, typed)
    if (problem) return dispatch({ type: 'failed', problem: { at: 'field', message: problem } })
    call.current = { kind: act.kind, make: () => callOf(api, act, typed) }
    dispatch({ type: 'submitted', who: act.kind === 'add' ? typed.userIdent.trim() : act.userIdent })
    void run()
  }

  const confirm = async (password: string) => {
    if (!password) return dispatch({ type: 'failed', problem: { at: 'field', message: words.confirm.missing } })
    dispatch({ type: 'passwordSent' })
    const reply = await api.userConfirmPassword({ password })
    if (reply.ok) {
      dispatch({ type: 'passwordRight' })
      return run()
    }
    const wrong = reply.failure.message.startsWith('password:')
    const message = wrong
      ? words.confirm.wrong
      : reply.failure.code === 'SecondFactorRequired'
        ? words.confirm.mailed
        : failureMessage(reply.failure)
    dispatch({ type: 'failed', problem: { at: wrong ? 'field' : 'page', message } })
  }

  const left = useCallback(() => dispatch({ type: 'left' }), [])

  return {
    state,
    left,
    choose: (act: Act) => dispatch({ type: 'chosen', act }),
    close: () => dispatch({ type: 'closed' }),
    edited: () => dispatch({ type: 'edited' }),
    submit,
    confirm,
  }
}
export type Acting = ReturnType<typeof useAct>

const same = (one: string, other: string) => one.trim().toLowerCase() === other.toLowerCase()

const problemOf = (act: Act, typed: Typed): string | undefined => {
  if (act.kind === 'add') return typed.userIdent.includes('@') ? undefined : words.acts.add.missing
  if (act.kind === 'delete') return same(typed.userIdent, act.userIdent) ? undefined : words.acts.delete.mismatch
  return undefined
}

const callOf = (api: ActApi, act: Act, typed: Typed): Promise<Reply<void>> => {
  switch (act.kind) {
    case 'add':
      return api.add({ userIdent: typed.userIdent.trim(), userTZLabel: typed.zone })
    case 'delete':
      return api.remove({ userId: act.userId, userIdent: typed.userIdent.trim() })
    case 'removeFactor':
      return api.removeFactor({ userId: act.userId, factorUUID: act.factorUUID })
    case 'unlock':
    case 'forceReset':
    case 'endSessions':
      return api[act.kind]({ userId: act.userId })
  }
}
