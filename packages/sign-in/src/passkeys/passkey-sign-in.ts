import type { AuthOutcome, PasskeyAssertion } from '@gatehouse/wire'
import type { Reply } from '../calls/api.ts'
import { createPasskeyApi, type PasskeyApi } from '../calls/passkey-api.ts'
import type { Config } from '../config.ts'
import type { Messages } from '../messages/messages.ts'
import { getPasskey } from './passkey-ceremony.ts'
import { signalUnknown } from './passkey-signals.ts'

// Loaded by login-passkeys.ts.

/** The props of the login page that its passkey code needs. */
export type PasskeyPage = {
  config: Pick<Config, 'baseUrl'>
  /** Loads the error texts. Rejects if they do not load. */
  loadTexts: () => Promise<Pick<Messages, 'passkeySignIn'>>
  /** For tests. Default: the calls of the server. */
  calls: PasskeyApi | undefined
}

/** A passkey that the user chose, and the RP ID that it was asked for. */
export type ChosenPasskey = { rpId: string; credential: PasskeyAssertion }

const callsOf = ({ calls, config }: PasskeyPage) => calls ?? createPasskeyApi(config)

/** The server's answer, or a sentence for the user that says what went wrong. */
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
