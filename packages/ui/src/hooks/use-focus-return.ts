import { useEffect, useRef } from 'react'

/**
 * Calls `focusNext` when `busy` ends, because browsers take the focus from a button when it becomes disabled. Without the focus, keyboard
 * users would start again at the top of the page. Leaves the focus alone if the user has moved it.
 */
export const useFocusReturn = (busy: boolean, focusNext: () => void) => {
  const wasBusy = useRef(false)
  const leftAt = useRef<Element | null>(null)
  useEffect(() => {
    const before = wasBusy.current
    wasBusy.current = busy
    const now = document.activeElement
    if (busy && !before) leftAt.current = now
    if (!busy && before && (now === document.body || now === leftAt.current)) focusNext()
  })
}
