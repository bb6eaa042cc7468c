import { Surface } from '@gatehouse/ui/layout/surface.tsx'
import type { ToastDefaults, ToastWords } from '@gatehouse/ui/toasts/toast.ts'
import { type Toasts, useToasts } from '@gatehouse/ui/toasts/use-toasts.tsx'
import { useEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { englishFirstLoad } from './messages/en-first-load.ts'

type HostProps = { words: ToastWords; defaults: ToastDefaults; onReady: (toasts: Omit<Toasts, 'outlet'>) => void }

const ToastHost = ({ words, defaults, onReady }: HostProps) => {
  const { outlet, show, showErrors, dismiss } = useToasts(words, defaults)
  useEffect(() => onReady({ show, showErrors, dismiss }), [onReady, show, showErrors, dismiss])
  return <Surface>{outlet}</Surface>
}

/**
 * The toasts of `useToasts`, for pages without React components. They appear in an element at the end of the page.
 * @returns `show`, `showErrors` and `dismiss`, and `remove`, which takes them off the page
 */
export const createToasts = (words: ToastWords = englishFirstLoad.toasts, defaults: ToastDefaults = {}) => {
  const element = document.createElement('div')
  document.body.append(element)
  const root = createRoot(element)
  const ready = new Promise<Omit<Toasts, 'outlet'>>(resolve => {
    root.render(<ToastHost words={words} defaults={defaults} onReady={resolve} />)
  })
  return {
    show: async (...args: Parameters<Toasts['show']>) => (await ready).show(...args),
    showErrors: async (...args: Parameters<Toasts['showErrors']>) => (await ready).showErrors(...args),
    dismiss: async (id?: string) => (await ready).dismiss(id),
    remove: () => {
      root.unmount()
      element.remove()
    },
  }
}
