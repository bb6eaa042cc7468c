import { type RefObject, useEffect, useMemo, useRef } from 'react'

/**
 * Runs one call of a page at a time. Aborts it when the page unmounts and when the browser restores the page from its
 * back/forward cache; then it dispatches `restored`.
 * @param secret a field to empty on restore: a later user of the browser may press Back
 */
export const useSingleCall = (dispatch: (event: { type: 'restored' }) => void, secret?: RefObject<HTMLInputElement | null>) => {
  const running = useRef<AbortController | null>(null)

  useEffect(() => {
    const stop = () => {
      running.current?.abort()
      running.current = null
    }
    const onPageShow = (event: PageTransitionEvent) => {
      if (!event.persisted) return
      stop()
      if (secret?.current) secret.current.value = ''
      dispatch({ type: 'restored' })
    }
    window.addEventListener('pageshow', onPageShow)
    return () => {
      window.removeEventListener('pageshow', onPageShow)
      stop()
    }
  }, [dispatch, secret])

  return useMemo(
    () => ({
      /** Changes immediately, unlike state: of two clicks in one frame, the second finds a running call. */
      isRunning: () => running.current !== null,
      /** Returns the signal for the new call. */
      begin: () => {
        running.current = new AbortController()
        return running.current.signal
      },
      end: () => {
        running.current = null
      },
    }),
    [],
  )
}
