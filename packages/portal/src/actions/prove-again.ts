import type { Reply } from '@gatehouse/sign-in'
import type { PasskeyAssertion } from '@gatehouse/wire'
import { accountTexts } from '../messages/current.ts'
import type { PasskeyAccess } from '../passkeys/passkey-access.ts'
import type { Problem } from './action-state.ts'
import { isStale, type PasswordApi, passwordProblem } from './use-actions.ts'

type Proof = { password: string; credential?: PasskeyAssertion }

/** Makes the call of one change with a new proof of who the user is. */
export type ProveAgain = <T>(signal: AbortSignal, call: (proof: Proof) => Promise<Reply<T>>) => Promise<Reply<T> | { problem: Problem }>

/**
 * Proves with the password who the user is. If the session is too old, reauthenticates with the same
 * password instead of asking again.
 */
export const byPassword =
  (api: PasswordApi, password: string): ProveAgain =>
  async (signal, call) => {
    const reply = await call({ password })
    if (reply.ok || password === '' || !isStale(reply.failure)) return reply
    const confirmed = await api.userPasswordConfirm({ password }, signal)
    return confirmed.ok ? call({ password }) : confirmed
  }

const noPasskey = (): { problem: Problem } => ({ problem: { at: 'page', message: accountTexts.confirm.noPasskey } })

/** Proves who the user is by a passkey instead of the password. */
export const byPasskey = (passkeys: Pick<PasskeyAccess, 'prove'>): ProveAgain => {
  // If the server finds the session too old, it has not used the passkey's response. The call after the reauthentication sends that
  // response again.
  let unused: PasskeyAssertion | undefined
  return async (signal, call) => {
    if (!unused) {
      const proved = await passkeys.prove(signal)
      if (typeof proved === 'string') return noPasskey()
      if (!proved.ok) return proved
      unused = proved.value
    }
    const reply = await call({ password: '', credential: unused })
    if (reply.ok || !isStale(reply.failure)) unused = undefined
    // The server names the password field for a refused passkey too.
    return !reply.ok && passwordProblem(reply.failure) ? noPasskey() : reply
  }
}
