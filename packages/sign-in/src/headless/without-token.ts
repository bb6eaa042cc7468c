import type { WithoutToken } from './view.ts'

/** Hosts get no hand-over code: it starts the session. */
export const withoutToken = <State extends { is: string }>(state: State): WithoutToken<State> => {
  const { token: _, ...rest } = state as State & { token?: unknown }
  return rest as WithoutToken<State>
}
