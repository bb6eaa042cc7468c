import { useEffect, useRef } from 'react'

/**
 * A disabled button loses the focus. When what ran is over, whoever works by keyboard goes on where the next step is;
 * who has gone elsewhere meanwhile is left there.
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
