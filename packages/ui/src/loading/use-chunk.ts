import { useCallback, useEffect, useRef, useState } from 'react'

/** The wait before loading code ahead of need. By then, the page has been usable for a while. */
const idleMs = 2000

type Chunk<T> = { is: 'loading' | 'failed' } | { is: 'loaded'; module: T }

const withoutFailure = <T>(chunk: Chunk<T>): Chunk<T> => (chunk.is === 'failed' ? { is: 'loading' } : chunk)

/**
 * Loads code after the page: as soon as it is needed, or ahead of need once the page is idle.
 * @param load must stay the same function; it is called again after a failure
 * @param needed whether the page shows something that needs the code
 * @param preloaded the code, if it came with the page
 */
export const useChunk = <T>(load: () => Promise<T>, needed: boolean, preloaded?: T) => {
  const [chunk, setChunk] = useState<Chunk<T>>(preloaded ? { is: 'loaded', module: preloaded } : { is: 'loading' })
  const loading = useRef(preloaded && Promise.resolve())
  const isNeeded = useRef(false)

  const fetch = useCallback(() => {
    loading.current ??= load().then(
      module => setChunk({ is: 'loaded', module }),
      () => {
        loading.current = undefined
        // A failure ahead of need is not shown: the chunk loads again when it is needed.
        if (isNeeded.current) setChunk({ is: 'failed' })
      },
    )
  }, [load])

  const retry = () => {
    setChunk(withoutFailure)
    fetch()
  }

  useEffect(() => {
    isNeeded.current = needed
    if (needed) return fetch()
    setChunk(withoutFailure)
    const early = setTimeout(fetch, idleMs)
    return () => clearTimeout(early)
  }, [fetch, needed])

  return { chunk, fetch, retry }
}
