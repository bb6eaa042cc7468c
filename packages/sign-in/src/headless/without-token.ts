import type { WithoutToken } from './view.ts'

/** Removes the hand-over code from a state: it starts the session, so hosts must not get it. */
export const withoutToken = <State extends { is: string }>(state: State): WithoutToken<State> => {
  const { token: _, ...rest } = state as State & { token?: unknown }
  return rest as WithoutToken<State>
}
