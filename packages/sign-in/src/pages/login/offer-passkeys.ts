import type { ChosenPasskey, PasskeyPage } from '../../passkeys/passkey-sign-in.ts'
import { loadPasskeys } from './login-flow.ts'

/** How long the page waits before it loads the code for passkeys. The page must be usable first. */
const idleMs = 500

/**
 * Offers passkeys in the autofill of the email field, once the login page is idle.
 * @param page read when the offer begins
 * @param onChosen called with the passkey that the user chose
 * @returns a function that ends the offer
 */
export const offerPasskeys = (page: () => PasskeyPage | undefined, onChosen: (chosen: ChosenPasskey) => void): (() => void) => {
  const stop = new AbortController()
  // If the code cannot be loaded, the button still reports what is wrong.
  const soon = setTimeout(() => {
    loadPasskeys()
      .then(module => module.offerInAutofill(page, onChosen, stop.signal))
      .catch(() => {})
  }, idleMs)
  return () => {
    clearTimeout(soon)
    stop.abort()
  }
}
