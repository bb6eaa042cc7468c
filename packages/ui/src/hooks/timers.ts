import { useEffect, useRef } from 'react'

const seconds = (count: number) => count * 1000

/** What counts as somebody being there. */
const activity = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart', 'focusin'] as const

/**
 * Calls `onIdle` once nobody has moved, typed or touched anything for that many seconds, and once more after each return
 * (§9). A tab that was hidden, or a device that slept, counts its hidden time.
 * @param idleSeconds seconds; `null` stops the watch
 */
export const useIdle = (onIdle: () => void, idleSeconds: number | null) => {
  const callback = useLatest(onIdle)
  useEffect(() => {
    if (idleSeconds === null) return
    let last = Date.now()
    let told = false
    let timer: ReturnType<typeof setTimeout>
    // Timers stand still while a device sleeps, so the clock is asked as well.
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
 * Calls `onTick` every so many seconds, the first time after that long (§9).
 * @param everySeconds seconds; `null` stops the ticking
 */
export const useInterval = (onTick: () => void, everySeconds: number | null) => {
  const callback = useLatest(onTick)
  useEffect(() => {
    if (everySeconds === null) return
    const timer = setInterval(() => callback.current(), seconds(everySeconds))
    return () => clearInterval(timer)
  }, [everySeconds, callback])
}

/** The function of the last render, so that a new one each time starts no timer anew. */
const useLatest = <T>(value: T) => {
  const latest = useRef(value)
  useEffect(() => {
    latest.current = value
  })
  return latest
}
