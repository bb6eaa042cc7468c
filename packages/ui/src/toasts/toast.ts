/** The seven kinds of §2. `dark` is `default` on a dark background in both themes; `loading` has a spinner. */
export type ToastKind = 'info' | 'success' | 'warning' | 'error' | 'default' | 'dark' | 'loading'

/** Where toasts appear (§9). */
export type ToastPosition = 'top-right' | 'top-center' | 'top-left' | 'bottom-right' | 'bottom-center' | 'bottom-left'

/** How toasts enter and leave (§9). For users who prefer reduced motion, they do so without animation. */
export type ToastTransition = 'bounce' | 'slide' | 'zoom' | 'flip'

/** A message at the edge of the window. */
export type Toast = {
  kind: ToastKind
  title: string
  text?: string
  /** Details that the user can expand. */
  more?: { label: string; detail: string }
  /** Replaces a visible toast with the same ID. */
  id?: string
  /** Default: the hook's. */
  position?: ToastPosition
  /** Default: the hook's. */
  transition?: ToastTransition
  /** Milliseconds until it closes; `false` if only the user closes it. Default: 15000 for a success, otherwise `false`. */
  closeAfterMs?: number | false
}

/** Accessible names: of the region of all toasts, and of the button that closes one. */
export type ToastWords = { region: string; close: string }

/** Defaults for all toasts of a hook. */
export type ToastDefaults = {
  /** Default: top-right. */
  position?: ToastPosition
  /** Default: fade. */
  transition?: ToastTransition
}
