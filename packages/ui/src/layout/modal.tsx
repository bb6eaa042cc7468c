import { type ReactNode, type SyntheticEvent, useId, useLayoutEffect, useRef } from 'react'
import { CloseIcon } from '../icons/status-icons.tsx'
import styles from './modal.module.css'

type ModalProps = {
  open: boolean
  /** Called on Escape, the close button and a click outside. Must set `open` to false. */
  onClose: () => void
  title: string
  /** Label of the close button. */
  close: string
  /** Whether the dialog is at most 400 px wide, like a card, or 620 px, for a QR code with text beside it. */
  narrow?: boolean | 'for a QR code'
  children: ReactNode
}

/**
 * A modal dialog (§9): z-index 1050, at most 1000 px wide. It keeps the focus inside and returns it afterwards; Escape closes it;
 * the page behind neither scrolls nor takes clicks. It is in the browser's top layer, so toasts that must appear above it belong
 * in its `children`. Put it inside a `Surface`.
 */
export const Modal = ({ open, onClose, title, close, narrow = false, children }: ModalProps) => {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()

  // A layout effect, so the dialog is open before its children's effects move the focus, and no early key press is lost.
  useLayoutEffect(() => {
    if (!open) return
    const element = dialog.current
    const before = document.activeElement
    const root = document.documentElement
    // Reserves the width of the scroll bar that disappears, so the page behind does not shift.
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
        // Only `open` decides whether the dialog closes, so prevent the browser from closing it.
        event.preventDefault()
        onClose()
      }}
      // Some browsers close the dialog on a second Escape, despite preventDefault. Our own close() also causes this event, but later:
      // StrictMode may have reopened the dialog by then.
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

/** Browsers let the focus leave a modal dialog into their own toolbars. This wraps it from the last element to the first and back. */
const keepInside = (dialog: HTMLElement, event: { shiftKey: boolean; preventDefault: () => void }) => {
  const stops = [...dialog.querySelectorAll<HTMLElement>(focusable)].filter(element => !element.matches(':disabled, [hidden]'))
  const from = event.shiftKey ? stops[0] : stops.at(-1)
  const to = event.shiftKey ? stops.at(-1) : stops[0]
  if (document.activeElement !== from && dialog.contains(document.activeElement) && document.activeElement !== dialog) return
  event.preventDefault()
  to?.focus()
}
