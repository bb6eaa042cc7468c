/** The seven kinds of §2. `dark` is `default` on a dark ground in either theme; `loading` turns a spinner. */
export type ToastKind = 'info' | 'success' | 'warning' | 'error' | 'default' | 'dark' | 'loading'

/** Where toasts appear (§9). */
export type ToastPosition = 'top-right' | 'top-center' | 'top-left' | 'bottom-right' | 'bottom-center' | 'bottom-left'

/** How toasts come and go (§9). They come and go at once for a reader who asked for no motion. */
export type ToastTransition = 'bounce' | 'slide' | 'zoom' | 'flip'

/** A note at the edge of the window. */
export type Toast = {
  kind: ToastKind
  title: string
  text?: string
  /** What unfolds below. */
  more?: { label: string; detail: string }
  /** A toast with this id that is still showing is updated, not joined by a second one. */
  id?: string
  /** Default: that of the hook. */
  position?: ToastPosition
  /** Default: that of the hook. */
  transition?: ToastTransition
  /** Milliseconds until it closes, or `false`: it stays until it is closed. Default: 15000 for a success, else `false`. */
  closeAfterMs?: number | false
}

export type ToastWords = { region: string; close: string }

/** How the toasts of one hook look unless one says otherwise. */
export type ToastDefaults = {
  /** Default: top-right. */
  position?: ToastPosition
  /** Default: they fade. */
  transition?: ToastTransition
}
