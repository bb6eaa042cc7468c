import { useSyncExternalStore } from 'react'

const never = () => () => {}

/** Whether the page's script has come. Until then a press of what the server rendered does nothing, and whoever presses is told so. */
export const useAwake = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
