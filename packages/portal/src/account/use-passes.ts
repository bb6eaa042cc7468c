import type { OwnPasses } from '@gatehouse/wire'
import { useCallback, useEffect, useState } from 'react'
import type { PortalApi } from '../calls/portal-api.ts'

/** The passes of the user's programs, loaded after the page: most users have none. `undefined` until then, or if the call failed. */
export const usePasses = (api: Pick<PortalApi, 'userPasses'>) => {
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
    const leaving = new AbortController()
    void refresh(leaving.signal)
    return () => leaving.abort()
  }, [refresh])

  return { passes, refresh }
}
