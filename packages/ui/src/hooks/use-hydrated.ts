import { useSyncExternalStore } from 'react'

const never = () => () => {}

/** Whether the script has taken over the page. Until then, buttons that the server rendered do nothing, and the page says so. */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
