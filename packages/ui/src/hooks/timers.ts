import { useEffect, useRef } from 'react'

const seconds = (count: number) => count * 1000

/** Events that count as user activity. */
const activity = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart', 'focusin'] as const

/**
 * Calls `onIdle` after `idleSeconds` without user activity, and again each time the user returns and is idle again (§9). Time in a hidden
 * tab or on a sleeping device counts.
 * @param idleSeconds seconds; `null` stops the timer
 */
export const useIdle = (onIdle: () => void, idleSeconds: number | null) => {
  const callback = useLatest(onIdle)
  useEffect(() => {
    if (idleSeconds === null) return
    let last = Date.now()
    let told = false
    let timer: ReturnType<typeof setTimeout>
    // Timers stop while the device sleeps, so compare the clock too.
    const look = () => {
      const left = last + seconds(idleSeconds) - Date.now()
      if (left > 0) {
        timer = setTimeout(look, left)
      } else if (!told) {
        told = true
        callback.current()
      }
    }
    const onActivity = () => {
      last = Date.now()
      if (!told) return
      told = false
      timer = setTimeout(look, seconds(idleSeconds))
    }
    const onVisible = () => {
      if (document.visibilityState !== 'visible') return
      clearTimeout(timer)
      look()
    }
    timer = setTimeout(look, seconds(idleSeconds))
    for (const name of activity) window.addEventListener(name, onActivity, { passive: true, capture: true })
    document.addEventListener('visibilitychange', onVisible)
    return () => {
      clearTimeout(timer)
      for (const name of activity) window.removeEventListener(name, onActivity, { capture: true })
      document.removeEventListener('visibilitychange', onVisible)
    }
  }, [idleSeconds, callback])
}

/**
 * Calls `onTick` every `everySeconds` seconds, first after one interval (§9).
 * @param everySeconds seconds; `null` stops the interval
 */
export const useInterval = (onTick: () => void, everySeconds: number | null) => {
  const callback = useLatest(onTick)
  useEffect(() => {
    if (everySeconds === null) return
    const timer = setInterval(() => callback.current(), seconds(everySeconds))
    return () => clearInterval(timer)
  }, [everySeconds, callback])
}

/** Holds the function of the last render, so a new function does not restart the timer. */
const useLatest = <T>(value: T) => {
  const latest = useRef(value)
  useEffect(() => {
    latest.current = value
  })
  return latest
}
