import { useOneCall } from '@gatehouse/ui/hooks/use-one-call.ts'
import type { MailLinkLookRequest, MailLinkRequest } from '@gatehouse/wire'
import { type Reducer, useEffect, useReducer } from 'react'
import type { PortalApi } from '../calls/portal-api.ts'
import { failureMessage } from '../failure-message.ts'
import { looking, type MailLinkEvent, type MailLinkState, mailLink } from './mail-link-state.ts'

/** What every page of a mailed link is handed. */
export type MailLinkPageProps<Result> = {
  /** The link that the page was opened by; `undefined` when its fragment was none of ours. */
  link: MailLinkRequest | undefined
  /** Path under which the server answers, without a slash at the end. */
  base: string
  /** What the page begins with where no script has read a link: it was pasted, and the browser holds it in a cookie. */
  begin?: MailLinkState<Result> | undefined
}

/**
 * Looks up what a link is good for, which uses nothing up, and then uses it at a press, once at a time.
 * @param link stays the same as long as the page does, as does `look`
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
  const call = useOneCall(dispatch)
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

  /** `run` makes the call and says what its answer means. */
  const use = async (run: (link: MailLinkRequest, signal: AbortSignal) => Promise<MailLinkEvent<Result>>) => {
    if (!link || call.isRunning()) return
    const signal = call.begin()
    dispatch({ type: 'pressed' })
    const event = await run(link, signal)
    if (signal.aborted) return
    call.end()
    dispatch(event)
  }

  return { state, dispatch, use }
}
