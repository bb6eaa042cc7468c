import type { MailLink } from '@gatehouse/wire'
import type { FieldProblem } from '@gatehouse/wire/page-props'

/** The states of a mailed link's page. `Result` is what using the link returns. */
export type MailLinkState<Result> =
  /**
   * The server checks the link. `refusal`: the server has just refused to use it; the page shows
   * the message if the link is still good.
   */
  | { is: 'Looking'; refusal?: string }
  | { is: 'NotLooked'; message: string }
  | { is: 'Dead'; why: Exclude<MailLink['state'], 'Good'> }
  | ({ is: 'Good' } & GoodLink)
  | ({ is: 'Using' } & GoodLink)
  | ({ is: 'GoodWithError'; problem: FieldProblem } & GoodLink)
  | { is: 'Done'; email: string; result: Result }

/** `asksNumber`: whether the user must type the number that the waiting tab shows. One-time links only. */
type GoodLink = { email: string; asksNumber?: boolean | undefined }

export type MailLinkEvent<Result> =
  | { type: 'looked'; link: MailLink }
  | { type: 'lookFailed'; message: string }
  | { type: 'lookedAgain' }
  | { type: 'pressed' }
  | { type: 'done'; result: Result }
  /** The server refused the link, so it is looked up again. */
  | { type: 'refused'; message: string }
  /** The link was not used up. */
  | { type: 'failed'; problem: FieldProblem }
  | { type: 'edited' }
  /** The browser restored the page from its back/forward cache. */
  | { type: 'restored' }

export const looking: MailLinkState<never> = { is: 'Looking' }

/** Ignores answers that the page does not wait for. One call at a time uses the link. */
export const mailLink = <Result>(state: MailLinkState<Result>, event: MailLinkEvent<Result>): MailLinkState<Result> => {
  switch (event.type) {
    case 'looked':
      return state.is === 'Looking' ? found(event.link, state.refusal) : state
    case 'lookFailed':
      return state.is === 'Looking' ? { is: 'NotLooked', message: event.message } : state
    case 'lookedAgain':
      return state.is === 'NotLooked' ? looking : state
    case 'pressed':
      return isReady(state) ? { is: 'Using', ...goodLink(state) } : state
    case 'done':
      return state.is === 'Using' ? { is: 'Done', email: state.email, result: event.result } : state
    case 'refused':
      return state.is === 'Using' ? { is: 'Looking', refusal: event.message } : state
    case 'failed':
      // The page finds some problems before it sends anything.
      return state.is === 'Using' || isReady(state) ? { is: 'GoodWithError', ...goodLink(state), problem: event.problem } : state
    case 'edited':
      return state.is === 'GoodWithError' ? { is: 'Good', ...goodLink(state) } : state
    case 'restored':
      // Another user may press Back, so discard what was shown.
      return state.is === 'Looking' ? state : looking
  }
}

const isReady = <Result>(state: MailLinkState<Result>) => state.is === 'Good' || state.is === 'GoodWithError'

const goodLink = ({ email, asksNumber }: GoodLink): GoodLink => ({ email, ...(asksNumber && { asksNumber }) })

const found = ({ state, email, asksNumber }: MailLink, refusal: string | undefined): MailLinkState<never> => {
  if (state !== 'Good') return { is: 'Dead', why: state }
  const link = goodLink({ email: email ?? '', asksNumber: asksNumber ?? false })
  if (refusal === undefined) return { is: 'Good', ...link }
  return { is: 'GoodWithError', ...link, problem: { at: link.asksNumber ? 'number' : 'page', message: refusal } }
}
