import type { OwnPasses } from '@gatehouse/wire'
import { useCallback, useEffect, useState } from 'react'
import type { PortalApi } from '../calls/portal-api.ts'

/**
 * The passes of the user's programs, loaded after the page. `undefined` until then, or if the call failed.
 * @param areShown whether the user has a pass or may create one
 */
export const usePasses = (api: Pick<PortalApi, 'userPasses'>, areShown: boolean) => {
  const [passes, setPasses] = useState<OwnPasses>()
  const [load] = useState(() => api.userPasses)

  const refresh = useCallback(
    async (signal?: AbortSignal) => {
      const reply = await load(signal)
      if (reply.ok && !signal?.aborted) setPasses(reply.value)
    },
    [load],
  )

  useEffect(() => {
    if (!areShown) return
    const leaving = new AbortController()
    void refresh(leaving.signal)
    return () => leaving.abort()
  }, [refresh, areShown])

  return { passes, refresh }
}
