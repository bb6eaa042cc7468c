import { useCallback, useEffect, useRef, useState } from 'react'

/** When the page has long been usable. */
const restMs = 2000

type Chunk<T> = { is: 'coming' | 'failed' } | { is: 'here'; module: T }

const forgiven = <T>(now: Chunk<T>): Chunk<T> => (now.is === 'failed' ? { is: 'coming' } : now)

/**
 * Code that is loaded after the page: ahead of need once the page has come to rest, or as soon as it is wanted.
 * @param load must stay the same; it is called again after a failure
 * @param wanted whether somebody waits for it
 * @param here the code itself, where it has come with the page
 */
export const useChunk = <T>(load: () => Promise<T>, wanted: boolean, here?: T) => {
  const [chunk, setChunk] = useState<Chunk<T>>(here ? { is: 'here', module: here } : { is: 'coming' })
  const coming = useRef(here && Promise.resolve())
  const awaited = useRef(false)

  const fetch = useCallback(() => {
    coming.current ??= load().then(
      module => setChunk({ is: 'here', module }),
      () => {
        coming.current = undefined
        // Ahead of need there is nobody to tell: it is fetched again once it is wanted.
        if (awaited.current) setChunk({ is: 'failed' })
      },
    )
  }, [load])

  const retry = () => {
    setChunk(forgiven)
    fetch()
  }

  useEffect(() => {
    awaited.current = wanted
    if (wanted) return fetch()
    setChunk(forgiven)
    const early = setTimeout(fetch, restMs)
    return () => clearTimeout(early)
  }, [fetch, wanted])

  return { chunk, fetch, retry }
}
