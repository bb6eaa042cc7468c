import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'

/** A note at the edge of the window. */
export type Toast = {
  kind: 'error'
  title: string
  text?: string
  /** What unfolds below. */
  more?: { label: string; detail: string }
  /** A toast with this id that is still showing is updated, not joined by a second one. */
  id?: string
}

export type ToastWords = { region: string; close: string }

type Toaster = typeof import('./toaster.tsx')

/** When the page has long been usable. */
const restMs = 2000

const load = (): Promise<Toaster | undefined> => import('./toaster.tsx').catch(() => undefined)

/**
 * Toasts of one widget: `outlet` belongs in its tree, `show` resolves to whether the toast could be shown. The code
 * behind is fetched ahead of need, once the page has come to rest: the failure it is needed for may be the network's.
 */
export const useToasts = (words: ToastWords): { show: (toast: Toast) => Promise<boolean>; outlet: ReactNode } => {
  const [toaster, setToaster] = useState<Toaster>()
  const mounted = useRef(false)

  useEffect(() => {
    mounted.current = true
    const early = setTimeout(load, restMs)
    return () => {
      mounted.current = false
      clearTimeout(early)
    }
  }, [])

  const show = useMemo(
    () => async (toast: Toast) => {
      const loaded = await load()
      if (!loaded || !mounted.current) return false
      setToaster(loaded)
      loaded.show(toast)
      return true
    },
    [],
  )

  return { show, outlet: toaster && <toaster.Toaster {...words} /> }
}
