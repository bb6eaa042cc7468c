import type { Failure, Reply } from '@gatehouse/sign-in'
import { useSingleCall } from '@gatehouse/ui/hooks/use-single-call.ts'
import { type Reducer, useCallback, useReducer, useRef } from 'react'
import type { PortalApi } from '../calls/portal-api.ts'
import { accountTexts } from '../messages/current.ts'
import type { PasskeyAccess } from '../passkeys/passkey-access.ts'
import { actionFailure } from './action-failure.ts'
import { type ActionEvent, type ActionState, actionState, idle, type Problem } from './action-state.ts'
import { fieldProblem } from './field-problem.ts'

export type PasswordApi = Pick<PortalApi, 'userPasswordConfirm'>

/** The props that a page passes to its actions. */
export type ActionPage<Action> = {
  api: PasswordApi
  /**
   * Whether the user has a password to reauthenticate with. Without a password or passkey, the
   * dialog says to sign in again.
   */
  hasPassword: boolean
  /** Whether the user has a passkey to reauthenticate with. */
  hasPasskey?: boolean
  passkeys?: PasskeyAccess | undefined
  /** Updates what the page shows, before the dialog closes. */
  refresh: (done: Action) => Promise<void> | void
  /** Opens the sign-in page: the session has ended. */
  leave: () => void
  /** Whether the user cannot close the dialog while a call runs. */
  staysOpen?: boolean
}

/** The result of a call: done, another step, another site to open, or a failure. */
export type Outcome<Action> =
  | { message: string }
  | { next: Action }
  | { location: string }
  | { failure: Failure; problem?: Problem | undefined }
  /** The action failed in the browser, for example because the user closed the browser's dialog. */
  | { problem: Problem }

/** Makes the call of an action. It runs again after a reauthentication. */
export type Run<Action> = (signal: AbortSignal) => Promise<Outcome<Action>>

/** The outcome of a call that returns nothing. */
export const outcomeOf = (reply: Reply<void>, message: string, problemOf?: (failure: Failure) => Problem | undefined): Outcome<never> =>
  reply.ok ? { message } : { failure: reply.failure, problem: problemOf?.(reply.failure) }

/** Whether the server asks for a reauthentication first. */
export const isStale = ({ code }: Failure) => code === 'ReauthenticationRequired'

/** Runs one action at a time, each in a dialog, with reauthentication in between where the server requires it. */
export const useActions = <Action>({
  api,
  hasPassword,
  hasPasskey = false,
  passkeys,
  refresh,
  leave,
  staysOpen = false,
}: ActionPage<Action>) => {
  const [state, dispatch] = useReducer<ActionState<Action>, [ActionEvent<Action>]>(
    actionState satisfies Reducer<ActionState<Action>, ActionEvent<Action>>,
    idle,
  )
  const call = useSingleCall(dispatch)
  const started = useRef<{ action: Action; run: Run<Action> } | undefined>(undefined)
  // A ref changes immediately, unlike the state.
  const isClosed = useRef(false)

  const canUsePasskey = () => hasPasskey && passkeys?.isSupported() === true

  const dismiss = useCallback(() => dispatch({ type: 'dismissed' }), [])

  const go = async ({ action, run }: { action: Action; run: Run<Action> }, signal: AbortSignal) => {
    const outcome = await run(signal)
    if (signal.aborted) return
    if ('message' in outcome || 'next' in outcome) await refresh(action)
    if (signal.aborted) return
    call.end()
    if ('message' in outcome) return dispatch({ type: 'done', message: outcome.message })
    if ('next' in outcome) return dispatch({ type: 'next', action: outcome.next })
    if ('location' in outcome) return dispatch({ type: 'sentOn', location: outcome.location })
    if (!('failure' in outcome)) return dispatch({ type: 'failed', problem: outcome.problem })
    const { failure, problem } = outcome
    if (failure.status === 401) return leave()
    if (isStale(failure) && (hasPassword || canUsePasskey())) return dispatch({ type: 'stale' })
    const message = isStale(failure) ? accountTexts.signInAgain : actionFailure(failure, hasPassword)
    dispatch({ type: 'failed', problem: problem ?? { at: 'page', message } })
  }

  const start = async (run: Run<Action>) => {
    if (call.isRunning() || state.is !== 'Asking') return
    started.current = { action: state.action, run }
    isClosed.current = false
    const signal = call.begin()
    dispatch({ type: 'sent' })
    await go(started.current, signal)
  }

  /** Reauthenticates, then runs the action again. */
  const confirmBy = async (prove: (signal: AbortSignal) => Promise<Reply<void> | { problem: Problem }>) => {
    if (call.isRunning() || !started.current) return
    isClosed.current = false
    const signal = call.begin()
    dispatch({ type: 'sent' })
    const reply = await prove(signal)
    if (signal.aborted) return
    if ('ok' in reply && reply.ok) {
      dispatch({ type: 'confirmed' })
      return isClosed.current ? call.end() : go(started.current, signal)
    }
    call.end()
    if ('problem' in reply) return dispatch({ type: 'failed', problem: reply.problem })
    if (reply.failure.status === 401) return leave()
    dispatch({
      type: 'failed',
      problem: passwordProblem(reply.failure) ?? { at: 'page', message: actionFailure(reply.failure, hasPassword) },
    })
  }

  const confirm = (password: string) => confirmBy(signal => api.userPasswordConfirm({ password }, signal))

  const confirmByPasskey = () =>
    confirmBy(async signal => {
      const reply = (await passkeys?.confirm(signal)) ?? 'Failed'
      if (typeof reply !== 'string') return reply
      return { problem: { at: 'page', message: accountTexts.confirm.noPasskey } }
    })

  return {
    state,
    /** The result of the last action. */
    message: state.is === 'Idle' ? state.message : undefined,
    choose: (action: Action) => {
      isClosed.current = false
      dispatch({ type: 'chosen', action })
    },
    close: () => {
      if (staysOpen && call.isRunning()) return
      isClosed.current = true
      dispatch({ type: 'closed' })
    },
    edit: () => dispatch({ type: 'edited' }),
    /** Shows a problem that is found before anything is sent. */
    fail: (problem: Problem) => dispatch({ type: 'failed', problem }),
    dismiss,
    start,
    confirm,
    hasPassword,
    /** The browser's passkeys. Undefined if the user cannot use a passkey here. */
    passkeys: canUsePasskey() ? passkeys : undefined,
    /** Reauthenticates with a passkey. Undefined if the user cannot use a passkey here. */
    confirmByPasskey: canUsePasskey() ? confirmByPasskey : undefined,
  }
}
export type Actions<Action> = ReturnType<typeof useActions<Action>>

/** The problem to show if the server refused the field `password`. */
export const passwordProblem = (failure: Failure): Problem | undefined => {
  return fieldProblem(failure)?.field === 'password' ? { at: 'password', message: accountTexts.passwordWrong } : undefined
}
