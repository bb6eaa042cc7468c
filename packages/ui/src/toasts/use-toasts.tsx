import { type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react'
import { retriable } from '../loading/retriable.ts'
import type { Toast, ToastDefaults, ToastWords } from './toast.ts'
import type * as ToasterModule from './toaster.tsx'

/** Result of {@link useToasts}. */
export type Toasts = {
  /**
   * Shows a toast, or updates the visible one with the same ID.
   * @returns `false` if it could not be shown: the code failed to load, or the component is unmounted
   */
  show: (toast: Toast) => Promise<boolean>
  /** Shows each error of a list as a separate toast (§2). */
  showErrors: (errors: readonly (string | Omit<Toast, 'kind'>)[]) => Promise<boolean>
  /** Closes the toast with this ID, or all toasts of this hook. A dismissed toast whose code is still loading never appears. */
  dismiss: (id?: string) => void
  /** Render it inside a `Surface`. The toasts appear at the edge of the window, or at a `Card` that follows directly (toaster.css). */
  outlet: ReactNode
}

type Toaster = typeof ToasterModule

// One shared promise keeps the toasts in order: two imports of one file may resolve in any order.
let loading: Promise<Toaster | undefined> | undefined

const loadToaster = retriable(() => import('./toaster.tsx'))

const load = () => {
  loading ??= loadToaster().catch(() => {
    loading = undefined
    return undefined
  })
  return loading
}

const showAll = (toasts: Toast[], toaster: Toaster, containerId: string) => {
  for (const toast of toasts.splice(0)) toaster.show(toast, containerId)
}

/** The wait before loading the code ahead of need. By then, the page has been usable for a while. */
const idleMs = 2000

/**
 * Shows toasts for one part of a page (§2, §9). Loads their code ahead of need, once the page is idle, because a toast may have to
 * report a network failure. Two hooks on one page keep their toasts separate.
 */
export const useToasts = (words: ToastWords, { position = 'top-right', transition }: ToastDefaults = {}): Toasts => {
  const containerId = useId()
  const [toaster, setToaster] = useState<Toaster>()
  const ready = useRef<Toaster | undefined>(undefined)
  const waiting = useRef<Toast[]>([])
  const mounted = useRef(false)

  useEffect(() => {
    mounted.current = true
    const early = setTimeout(load, idleMs)
    return () => {
      mounted.current = false
      clearTimeout(early)
    }
  }, [])

  // The outlet's effects have run by now, so it can take toasts. The microtask waits until StrictMode has remounted it.
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
        // All waiting toasts wait for the same code.
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
