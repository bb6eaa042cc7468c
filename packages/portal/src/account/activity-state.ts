import type { Activity } from '@gatehouse/wire'

type Rows = { rows: Activity['rows']; more: Activity['more'] }

/** The states of the recent activity. `grown`: earlier rows were just added. */
export type ActivityState =
  | ({ is: 'Shown'; grown: boolean } & Rows)
  | ({ is: 'Loading' } & Rows)
  | ({ is: 'ShownWithError'; message: string } & Rows)

export type ActivityEvent =
  | { type: 'asked' }
  | { type: 'told'; page: Activity }
  | { type: 'failed'; message: string }
  /** An action changed the newest page. */
  | { type: 'renewed'; newest: Activity }
  /** The browser restored the page from its back/forward cache. */
  | { type: 'restored' }

export const shown = ({ rows, more }: Activity): ActivityState => ({ is: 'Shown', rows, more, grown: false })

export const activity = (state: ActivityState, event: ActivityEvent): ActivityState => {
  const { rows, more } = state
  switch (event.type) {
    case 'asked':
      return state.is === 'Loading' ? state : { is: 'Loading', rows, more }
    case 'told':
      if (state.is !== 'Loading') return state
      return { is: 'Shown', rows: [...rows, ...event.page.rows], more: event.page.more, grown: true }
    case 'failed':
      return state.is === 'Loading' ? { is: 'ShownWithError', rows, more, message: event.message } : state
    case 'renewed':
      // Ignore the new page while earlier rows load, because those rows would not follow on from
      // it.
      return state.is === 'Loading' || rows === event.newest.rows ? state : shown(event.newest)
    case 'restored':
      return state.is === 'Loading' ? { is: 'Shown', rows, more, grown: false } : state
  }
}
