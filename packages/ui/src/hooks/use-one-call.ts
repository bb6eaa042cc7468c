import { type RefObject, useEffect, useMemo, useRef } from 'react'

/**
 * One call of a page at a time. It is called off when the page goes, and when the browser brings the page back from its
 * back/forward cache; the page's state is then told.
 * @param secret what is typed there is gone when the page comes back: whoever presses Back later need not be who typed it
 */
export const useOneCall = (dispatch: (event: { type: 'restored' }) => void, secret?: RefObject<HTMLInputElement | null>) => {
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
      /** Known at once, unlike state: of two clicks in one frame the second finds a call running. */
      isRunning: () => running.current !== null,
      /** The signal of the call that begins. */
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
