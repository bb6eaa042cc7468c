import { createSingleCall } from '@gatehouse/ui/hooks/single-call.ts'

/** A state machine of a page, and its one call at a time. */
export type Machine<State, Event> = {
  state: () => State
  dispatch: (event: Event | { type: 'restored' }) => void
  call: ReturnType<typeof createSingleCall>
  /** Aborts the running call, and returns to a state without one. */
  stop: () => void
}

export const createMachine = <State, Event>(
  next: (state: State, event: Event | { type: 'restored' }) => State,
  first: State,
  onChange: () => void,
): Machine<State, Event> => {
  let state = first
  const call = createSingleCall()
  const dispatch = (event: Event | { type: 'restored' }) => {
    const after = next(state, event)
    if (after === state) return
    state = after
    onChange()
  }
  return {
    state: () => state,
    dispatch,
    call,
    stop: () => {
      call.stop()
      dispatch({ type: 'restored' })
    },
  }
}
