import { useSingleCall } from '@gatehouse/ui/hooks/use-single-call.ts'
import type { MailLinkLookRequest, MailLinkRequest } from '@gatehouse/wire'
import type { FieldProblem } from '@gatehouse/wire/page-props'
import { type Reducer, useEffect, useReducer } from 'react'
import type { PortalApi } from '../calls/portal-api.ts'
import { failureMessage } from '../failure-message.ts'
import { looking, type MailLinkEvent, type MailLinkState, mailLink } from './mail-link-state.ts'

/** The props of every page that a mailed link opens. */
export type MailLinkPageProps<Result> = {
  /** The link in the address; `undefined` if its fragment is not one of our links. */
  link: MailLinkRequest | undefined
  /** The server's base path, without a slash at the end. */
  base: string
  /** The first state without a script: the user pasted the link, and a cookie holds it. */
  begin?: MailLinkState<Result> | undefined
}

/**
 * Looks up a link without using it. `use` then uses it, one call at a time.
 * @param link must stay the same while the page is open, and so must `look`
 */
export const useMailLink = <Result>(
  kind: MailLinkLookRequest['kind'],
  link: MailLinkRequest | undefined,
  look: PortalApi['mailLinkLook'],
  begin: MailLinkState<Result> = looking,
) => {
  const [state, dispatch] = useReducer<MailLinkState<Result>, [MailLinkEvent<Result>]>(
    mailLink satisfies Reducer<MailLinkState<Result>, MailLinkEvent<Result>>,
    begin,
  )
  const call = useSingleCall(dispatch)
  const isLooking = state.is === 'Looking'

  useEffect(() => {
    if (!isLooking) return
    if (!link) return dispatch({ type: 'looked', link: { state: 'Unknown' } })
    const gone = new AbortController()
    void look({ kind, ...link }, gone.signal).then(reply => {
      if (gone.signal.aborted) return
      dispatch(reply.ok ? { type: 'looked', link: reply.value } : { type: 'lookFailed', message: failureMessage(reply.failure) })
    })
    return () => gone.abort()
  }, [isLooking, kind, link, look])

  /** `run` makes the call and returns the event that follows from its answer. */
  const use = async (run: (link: MailLinkRequest, signal: AbortSignal) => Promise<MailLinkEvent<Result>>) => {
    if (!link || call.isRunning()) return
    const signal = call.begin()
    dispatch({ type: 'pressed' })
    const event = await run(link, signal)
    if (signal.aborted) return
    call.end()
    dispatch(event)
  }

  return {
    state,
    problem: state.is === 'GoodWithError' ? state.problem : undefined,
    isRunning: state.is === 'Using',
    use,
    lookAgain: () => dispatch({ type: 'lookedAgain' }),
    fail: (problem: FieldProblem) => dispatch({ type: 'failed', problem }),
    edit: () => dispatch({ type: 'edited' }),
  }
}
