import { type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react'
import { retriable } from '../loading/retriable.ts'
import type { Toast, ToastDefaults, ToastWords } from './toast.ts'
import type * as ToasterModule from './toaster.tsx'

/** What {@link useToasts} gives. */
export type Toasts = {
  /**
   * Shows a toast, or updates the one with its id that is still showing.
   * @returns `false` when it could not be shown: the code behind did not come, or the hook is gone
   */
  show: (toast: Toast) => Promise<boolean>
  /** Shows a list of errors, each as a toast of its own (§2). */
  showErrors: (errors: readonly (string | Omit<Toast, 'kind'>)[]) => Promise<boolean>
  /** Closes the toast of an id, or all of this hook; one that still waits for the code behind is not shown at all. */
  dismiss: (id?: string) => void
  /** Belongs in the tree, inside a `Surface`; toasts appear at the window's edge all the same. */
  outlet: ReactNode
}

type Toaster = typeof ToasterModule

// One promise for all, for two imports of one file may arrive in either order, and so would the toasts.
let coming: Promise<Toaster | undefined> | undefined

const loadToaster = retriable(() => import('./toaster.tsx'))

const load = () => {
  coming ??= loadToaster().catch(() => {
    coming = undefined
    return undefined
  })
  return coming
}

const showAll = (toasts: Toast[], toaster: Toaster, containerId: string) => {
  for (const toast of toasts.splice(0)) toaster.show(toast, containerId)
}

/** When the page has long been usable. */
const restMs = 2000

/**
 * Toasts of one part of a page (§2, §9). The code behind is fetched ahead of need, once the page has come to rest: the
 * failure it is needed for may be the network's. Two hooks on one page keep their toasts apart.
 */
export const useToasts = (words: ToastWords, { position = 'top-right', transition }: ToastDefaults = {}): Toasts => {
  const containerId = useId()
  const [toaster, setToaster] = useState<Toaster>()
  const ready = useRef<Toaster | undefined>(undefined)
  const waiting = useRef<Toast[]>([])
  const mounted = useRef(false)

  useEffect(() => {
    mounted.current = true
    const early = setTimeout(load, restMs)
    return () => {
      mounted.current = false
      clearTimeout(early)
    }
  }, [])

  // The outlet is further in, so it takes toasts by now; in StrictMode it is taken away and put back first.
  useEffect(() => {
    if (!toaster) return
    queueMicrotask(() => {
      if (!mounted.current) return
      ready.current = toaster
      showAll(waiting.current, toaster, containerId)
    })
    return () => {
      ready.current = undefined
      toaster.dismiss(containerId)
    }
  }, [toaster, containerId])

  const calls = useMemo(() => {
    const show = async (toast: Toast) => {
      waiting.current.push(toast)
      const loaded = await load()
      if (!loaded || !mounted.current) {
        // All that wait, wait for the same.
        waiting.current = []
        return false
      }
      if (ready.current) showAll(waiting.current, ready.current, containerId)
      setToaster(loaded)
      return true
    }
    return {
      show,
      showErrors: async (errors: readonly (string | Omit<Toast, 'kind'>)[]) => {
        const shown = await Promise.all(
          errors.map(error => show({ kind: 'error', ...(typeof error === 'string' ? { title: error } : error) })),
        )
        return shown.every(Boolean)
      },
      dismiss: (id?: string) => {
        waiting.current = waiting.current.filter(toast => id !== undefined && toast.id !== id)
        ready.current?.dismiss(containerId, id)
      },
    }
  }, [containerId])

  const outlet = toaster && <toaster.Toaster {...words} containerId={containerId} position={position} {...(transition && { transition })} />
  return { ...calls, outlet }
}
