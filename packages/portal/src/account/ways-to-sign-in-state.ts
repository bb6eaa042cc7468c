import type { SSOProvider } from '@gatehouse/wire'

/** A provider that is set up or linked. */
export type Way = { provider: SSOProvider; linked: boolean }

/** What is wrong, and where it is said: in the window, or under its field. */
type Problem = { at: 'page' | 'password'; message: string }

/** The states of the account page's ways to sign in. `way` is the one that is being linked or unlinked. */
export type WaysState =
  | { is: 'AtRest'; ways: Way[]; unlinked?: SSOProvider }
  | { is: 'Asking'; ways: Way[]; way: Way }
  | { is: 'AskingWithError'; ways: Way[]; way: Way; problem: Problem }
  /** `shut`: the window was closed meanwhile. What was sent is not called back, for nobody could say what became of it. */
  | { is: 'Changing'; ways: Way[]; way: Way; shut: boolean }
  /** On the way to the provider. */
  | { is: 'Leaving'; ways: Way[]; way: Way; location: string }

export type WaysEvent =
  | { type: 'chosen'; way: Way }
  | { type: 'closed' }
  | { type: 'submitted' }
  | { type: 'sentOn'; location: string }
  | { type: 'unlinked' }
  | { type: 'failed'; problem: Problem }
  | { type: 'edited' }
  /** The browser brought the page back from its back/forward cache. */
  | { type: 'restored' }

export const atRest = (ways: Way[]): WaysState => ({ is: 'AtRest', ways })

/** One way is changed at a time, and whoever has closed the window goes nowhere. */
export const waysToSignIn = (state: WaysState, event: WaysEvent): WaysState => {
  switch (event.type) {
    case 'chosen':
      if (state.is === 'AtRest') return { is: 'Asking', ways: state.ways, way: event.way }
      // What runs is shown again.
      return state.is === 'Changing' && state.shut ? { ...state, shut: false } : state
    case 'closed':
      if (state.is === 'Changing') return state.shut ? state : { ...state, shut: true }
      return state.is === 'AtRest' ? state : atRest(state.ways)
    case 'submitted':
      return isAsking(state) ? { is: 'Changing', ways: state.ways, way: state.way, shut: false } : state
    case 'sentOn':
      if (state.is !== 'Changing') return state
      return state.shut ? atRest(state.ways) : { is: 'Leaving', ways: state.ways, way: state.way, location: event.location }
    case 'unlinked':
      return state.is === 'Changing' ? without(state.ways, state.way.provider) : state
    case 'failed':
      if (state.is === 'Changing' && state.shut) return atRest(state.ways)
      // What is wrong with the input is known before anything is sent.
      return state.is === 'Changing' || isAsking(state)
        ? { is: 'AskingWithError', ways: state.ways, way: state.way, problem: event.problem }
        : state
    case 'edited':
      return state.is === 'AskingWithError' ? { is: 'Asking', ways: state.ways, way: state.way } : state
    case 'restored':
      return state.is === 'AtRest' ? state : atRest(state.ways)
  }
}

const isAsking = (state: WaysState) => state.is === 'Asking' || state.is === 'AskingWithError'

const without = (ways: Way[], unlinked: SSOProvider): WaysState => ({
  is: 'AtRest',
  ways: ways.map(way => (way.provider === unlinked ? { ...way, linked: false } : way)),
  unlinked,
})
