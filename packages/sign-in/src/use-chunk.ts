import { useEffect, useMemo, useRef, useState } from 'react'

/** When the page has long been usable. */
const restMs = 2000

/**
 * Code that is loaded after the page: ahead of need once the page has come to rest, or as soon as it is wanted.
 * @param load must stay the same; it is called again after a failure
 * @param wanted whether somebody waits for it
 */
export const useChunk = <T>(load: () => Promise<T>, wanted: boolean) => {
  const [chunk, setChunk] = useState<{ is: 'coming' | 'failed' } | { is: 'here'; module: T }>({ is: 'coming' })
  const coming = useRef<Promise<void> | undefined>(undefined)
  const mounted = useRef(false)

  const fetch = useMemo(
    () => () => {
      coming.current ??= load().then(
        module => {
          if (mounted.current) setChunk({ is: 'here', module })
        },
        () => {
          coming.current = undefined
          if (mounted.current) setChunk({ is: 'failed' })
        },
      )
    },
    [load],
  )

  useEffect(() => {
    mounted.current = true
    return () => {
      mounted.current = false
    }
  }, [])

  const retry = useMemo(
    () => () => {
      setChunk(now => (now.is === 'failed' ? { is: 'coming' } : now))
      fetch()
    },
    [fetch],
  )

  useEffect(() => {
    if (wanted) return retry()
    const early = setTimeout(fetch, restMs)
    return () => clearTimeout(early)
  }, [fetch, retry, wanted])

  return { chunk, fetch, retry }
}
