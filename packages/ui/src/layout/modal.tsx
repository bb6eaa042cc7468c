import { type ReactNode, type SyntheticEvent, useId, useLayoutEffect, useRef } from 'react'
import { CloseIcon } from '../icons/news-icons.tsx'
import styles from './modal.module.css'

type ModalProps = {
  open: boolean
  /** Asked to close: Escape, the close button, or a click beside the window. Set `open` to false then. */
  onClose: () => void
  title: string
  /** Name of the close button. */
  close: string
  /** Whether it is as wide as a card: for a question, or for a QR code. */
  narrow?: boolean | 'for a QR code'
  children: ReactNode
}

/**
 * A window above the page (§9): z-index 1050, at most 1000 px wide. The focus stays in it and goes back to where it was;
 * Escape closes it; the page behind neither scrolls nor takes clicks. It stands in the browser's top layer, so toasts
 * that must be seen above it belong in its `children`. Put it inside a `Surface`.
 */
export const Modal = ({ open, onClose, title, close, narrow = false, children }: ModalProps) => {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()

  // Before it can be seen, and before the effects of who puts the focus elsewhere in it: keys that are pressed at once are not lost.
  useLayoutEffect(() => {
    if (!open) return
    const element = dialog.current
    const before = document.activeElement
    const root = document.documentElement
    // The room of a scroll bar that goes is kept, so that nothing behind jumps.
    if (window.innerWidth > root.clientWidth) root.dataset.gatehouseScrollbar = ''
    root.dataset.gatehouseModals = String(Number(root.dataset.gatehouseModals ?? 0) + 1)
    element?.showModal()
    return () => {
      element?.close()
      const left = Number(root.dataset.gatehouseModals) - 1
      if (left > 0) {
        root.dataset.gatehouseModals = String(left)
      } else {
        delete root.dataset.gatehouseModals
        delete root.dataset.gatehouseScrollbar
      }
      if (before instanceof HTMLElement) before.focus()
    }
  }, [open])

  if (!open) return null
  return (
    <dialog
      ref={dialog}
      className={styles.modal}
      aria-labelledby={titleId}
      onCancel={(event: SyntheticEvent) => {
        // The browser would close it by itself; whether it closes is for `open` to say.
        event.preventDefault()
        onClose()
      }}
      // A browser may close it all the same when Escape is pressed again. What we closed ourselves may be open anew by now.
      onClose={event => {
        if (!event.currentTarget.open) onClose()
      }}
      onKeyDown={event => {
        if (event.key === 'Tab') keepInside(event.currentTarget, event)
      }}
      onMouseDown={event => {
        if (event.target === event.currentTarget) onClose()
      }}
    >
      <div className={[styles.window, narrow && (narrow === true ? styles.narrow : styles.scanned)].filter(Boolean).join(' ')}>
        <div className={styles.head}>
          <h2 className={styles.title} id={titleId}>
            {title}
          </h2>
          <button type="button" className={styles.close} aria-label={close} onClick={onClose}>
            <CloseIcon />
          </button>
        </div>
        <div className={styles.body}>{children}</div>
      </div>
    </dialog>
  )
}

const focusable = 'a[href], button, input, select, textarea, summary, [tabindex]:not([tabindex="-1"])'

/** The browser keeps the focus from the page behind, but lets it out into its own bars; from last to first and back it goes round. */
const keepInside = (dialog: HTMLElement, event: { shiftKey: boolean; preventDefault: () => void }) => {
  const stops = [...dialog.querySelectorAll<HTMLElement>(focusable)].filter(element => !element.matches(':disabled, [hidden]'))
  const from = event.shiftKey ? stops[0] : stops.at(-1)
  const to = event.shiftKey ? stops.at(-1) : stops[0]
  if (document.activeElement !== from && dialog.contains(document.activeElement) && document.activeElement !== dialog) return
  event.preventDefault()
  to?.focus()
}
