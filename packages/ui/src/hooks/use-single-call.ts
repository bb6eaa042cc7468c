import { type RefObject, useEffect, useState } from 'react'
import { createSingleCall } from './single-call.ts'

/**
 * Runs one call of a page at a time. Aborts it when the page unmounts and when the browser restores the page from its
 * back/forward cache. On restore, also dispatches `restored`.
 * @param secret a field to empty on restore: a later user of the browser may press Back
 */
export const useSingleCall = (dispatch: (event: { type: 'restored' }) => void, secret?: RefObject<HTMLInputElement | null>) => {
  const [call] = useState(createSingleCall)

  useEffect(() => {
    const onPageShow = (event: PageTransitionEvent) => {
      if (!event.persisted) return
      call.stop()
      if (secret?.current) secret.current.value = ''
      dispatch({ type: 'restored' })
    }
    window.addEventListener('pageshow', onPageShow)
    return () => {
      window.removeEventListener('pageshow', onPageShow)
      call.stop()
    }
  }, [call, dispatch, secret])

  return call
}
