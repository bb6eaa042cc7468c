import { retriable } from '@gatehouse/ui/loading/retriable.ts'
import { createPasskeyOfferApi } from '../calls/passkey-offer-api.ts'
import { getPasskey } from './passkey-ceremony.ts'
import type { ChosenPasskey, PasskeyPage, signInWithPasskey as signIn } from './passkey-sign-in.ts'

// Loaded by the login page half a second after it appeared, or when the user presses the button. This module imports only what
// the offer needs; the decoders of a sign-in load later.

const load = retriable(() => import('./passkey-sign-in.ts'))

/** Load `passkey-sign-in.ts` after this time, so it is ready when the user chooses a passkey. */
const idleMs = 1500

/** Signs in with a passkey alone, as in `passkey-sign-in.ts`. Rejects if that code does not load. */
export const signInWithPasskey: typeof signIn = async (...of) => (await load()).signInWithPasskey(...of)

/** Replace a challenge after this share of its lifetime, so that it does not expire while the user confirms. */
const renewAfter = 0.8

const heard = (target: EventTarget, type: string, signal: AbortSignal) =>
  new Promise<void>(resolve => {
    signal.addEventListener('abort', () => resolve(), { once: true })
    target.addEventListener(type, () => resolve(), { once: true, signal })
  })

/** Aborts when the challenge is old, or when the user leaves: the back/forward cache keeps no page with a pending request. */
const untilStale = (timeout: number) => {
  const stale = new AbortController()
  const { signal } = stale
  const until = Date.now() + timeout * renewAfter
  const timer = setTimeout(() => stale.abort('old'), timeout * renewAfter)
  signal.addEventListener('abort', () => clearTimeout(timer))
  window.addEventListener('pagehide', () => stale.abort('left'), { signal })
  // Timers stop while the computer sleeps.
  document.addEventListener('visibilitychange', () => Date.now() >= until && stale.abort('old'), { signal })
  return stale
}

/**
 * Offers passkeys in the autofill of the email field, with nothing to click (conditional mediation). Replaces the challenge before it
 * expires, while the page is visible.
 * @returns the passkey that the user chose. Undefined if the browser offers none there, or the signal aborts
 */
const chooseInAutofill = async (page: PasskeyPage, signal: AbortSignal): Promise<ChosenPasskey | undefined> => {
  if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return undefined
  const { passkeyOptions } = page.calls ?? createPasskeyOfferApi(page.config)
  const early = setTimeout(() => load().catch(() => {}), idleMs)
  signal.addEventListener('abort', () => clearTimeout(early))
  for (;;) {
    while (!signal.aborted && document.visibilityState !== 'visible') await heard(document, 'visibilitychange', signal)
    if (signal.aborted) return undefined
    const reply = await passkeyOptions('SignIn', signal)
    if (!reply.ok) return undefined
    const began = Date.now()
    const stale = untilStale(reply.value.timeout)
    const credential = await getPasskey(reply.value, { signal: AbortSignal.any([signal, stale.signal]), conditional: true })
    if (typeof credential === 'object') {
      stale.abort()
      return { rpId: reply.value.rpId, credential }
    }
    const hasLeft = stale.signal.reason === 'left'
    // A browser that refuses at once would do so again.
    const isRefused = !stale.signal.aborted && (credential !== 'Cancelled' || Date.now() - began < 1000)
    stale.abort()
    if (isRefused) return undefined
    if (hasLeft) await heard(window, 'pageshow', signal)
  }
}

/** Offers passkeys in the autofill, and reports the one that the user chose. For the parameters, see `offer-passkeys.ts`. */
export const offerInAutofill = async (
  page: () => PasskeyPage | undefined,
  onChosen: (chosen: ChosenPasskey) => void,
  signal: AbortSignal,
): Promise<void> => {
  const offered = page()
  const chosen = offered && (await chooseInAutofill(offered, signal))
  if (chosen && !signal.aborted) onChosen(chosen)
}
