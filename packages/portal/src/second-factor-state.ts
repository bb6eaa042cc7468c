import type { Redeemed } from './after-mail-link.ts'

/** The states of the page on which a provider's sign-in goes on. */
export type SecondFactorState =
  | { is: 'Asking' }
  | { is: 'NotAsked'; message: string }
  | { is: 'TooLate' }
  | { is: 'Answered'; result: Redeemed }

export type SecondFactorEvent =
  | { type: 'answered'; result: Redeemed }
  /** There is no sign-in (any more) that could go on. */
  | { type: 'refused' }
  | { type: 'failed'; message: string }
  | { type: 'askedAgain' }
  /** The browser brought the page back from its back/forward cache. */
  | { type: 'restored' }

export const asking: SecondFactorState = { is: 'Asking' }

/** An answer counts only while we wait for it. */
export const secondFactor = (state: SecondFactorState, event: SecondFactorEvent): SecondFactorState => {
  switch (event.type) {
    case 'answered':
      return state.is === 'Asking' ? { is: 'Answered', result: event.result } : state
    case 'refused':
      return state.is === 'Asking' ? { is: 'TooLate' } : state
    case 'failed':
      return state.is === 'Asking' ? { is: 'NotAsked', message: event.message } : state
    case 'askedAgain':
      return state.is === 'NotAsked' ? asking : state
    case 'restored':
      // A state of its own even while asking: the call of before may have died in the cache, and is made anew.
      return { is: 'Asking' }
  }
}
