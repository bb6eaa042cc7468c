import { useEffect, useRef } from 'react'

/**
 * A button that is disabled while it works loses the focus. Calls `focusNext` when the work ends, so keyboard users continue
 * there. If the user has moved the focus elsewhere meanwhile, it stays.
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
