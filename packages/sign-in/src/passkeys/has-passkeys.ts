/** Whether the page is in a frame of another origin. */
export const isFramed = (): boolean => {
  try {
    for (let frame: Window = window; frame !== frame.parent; frame = frame.parent) {
      // Reading the address of another origin throws.
      if (frame.parent.location.origin !== location.origin) return true
    }
    return false
  } catch {
    return true
  }
}

/**
 * Whether passkeys work on this page. Not on plain http, except localhost, and not in a frame of another origin: the server refuses
 * those, because the user does not see which site asks.
 */
export const hasPasskeys = (): boolean => typeof PublicKeyCredential === 'function' && 'credentials' in navigator && !isFramed()
