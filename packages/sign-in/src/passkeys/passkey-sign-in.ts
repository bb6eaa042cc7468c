import type { AuthOutcome, PasskeyAssertion } from '@gatehouse/wire'
import type { Reply } from '../calls/api.ts'
import { createPasskeyApi, type PasskeyApi } from '../calls/passkey-api.ts'
import type { Config } from '../config.ts'
import type { Messages } from '../messages/messages.ts'
import { getPasskey } from './passkey-ceremony.ts'
import { signalUnknown } from './passkey-signals.ts'

// Loaded by the login page when it is idle, or when the user presses the button.

/** The props of the login page that its passkey code needs. */
export type PasskeyPage = {
  config: Pick<Config, 'baseUrl'>
  /** Loads the texts of problems. Rejects if they do not load. */
  loadTexts: () => Promise<Pick<Messages, 'passkeySignIn'>>
  /** For tests. Default: the calls of the server. */
  calls: PasskeyApi | undefined
}

/** A passkey that the user chose, and the RP ID that it was asked for. */
export type ChosenPasskey = { rpId: string; credential: PasskeyAssertion }

const callsOf = ({ calls, config }: PasskeyPage) => calls ?? createPasskeyApi(config)

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
export const choosePasskeyInAutofill = async (page: PasskeyPage, signal: AbortSignal): Promise<ChosenPasskey | undefined> => {
  if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return undefined
  for (;;) {
    while (!signal.aborted && document.visibilityState !== 'visible') await heard(document, 'visibilitychange', signal)
    if (signal.aborted) return undefined
    const reply = await callsOf(page).passkeyOptions('SignIn', signal)
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

/** The server's answer or, if the browser gave no passkey, the reason as a sentence for the user. */
type Ended = { reply: Reply<AuthOutcome> } | { problem: string }

/**
 * Signs in with a passkey alone.
 * @param chosen the passkey from the autofill. Undefined: the browser asks for one in a dialog
 */
export const signInWithPasskey = async (page: PasskeyPage, chosen: ChosenPasskey | undefined, signal: AbortSignal): Promise<Ended> => {
  const calls = callsOf(page)
  const problem = async (of: keyof Messages['passkeySignIn']) => ({ problem: (await page.loadTexts()).passkeySignIn[of] })
  let used = chosen
  if (!used) {
    const options = await calls.passkeyOptions('SignIn', signal)
    if (!options.ok) return options.failure.status === 404 ? problem('off') : { reply: options }
    const credential = await getPasskey(options.value, { signal })
    if (typeof credential === 'string') return problem(credential === 'Cancelled' ? 'cancelled' : 'failed')
    used = { rpId: options.value.rpId, credential }
  }
  const reply = await calls.passkeySignIn({ credential: used.credential }, signal)
  if (!reply.ok || reply.value.tag !== 'AuthFailureFailedLogin') return { reply }
  // The specification's sentence for this outcome is about email and password.
  if (reply.value.passkey !== 'Unknown') return problem('failed')
  signalUnknown(used.rpId, used.credential.id)
  return problem('unknown')
}
