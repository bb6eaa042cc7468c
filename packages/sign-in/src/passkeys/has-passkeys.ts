/** Whether the page is in a frame of a page of another origin. */
export const isFramed = (): boolean => {
  try {
    // Reading the address of another origin throws.
    return window.parent.location.origin !== location.origin
  } catch {
    return true
  }
}

/**
 * Whether passkeys work on this page. Not on plain http, except localhost, and not in a frame of another origin: the server refuses
 * those, because the user does not see which site asks.
 */
export const hasPasskeys = (): boolean => typeof PublicKeyCredential === 'function' && !isFramed()
