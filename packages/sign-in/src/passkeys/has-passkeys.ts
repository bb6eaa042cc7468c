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
 * Whether passkeys work on this page. They do not work on plain http, except on localhost, or in a frame of another origin: the
 * server refuses passkeys from such a frame, because the user does not see which site asks.
 */
export const hasPasskeys = (): boolean => typeof PublicKeyCredential === 'function' && !isFramed()
