import type { Reply } from '@gatehouse/sign-in'
import type { PasskeyAssertion } from '@gatehouse/wire'
import { accountTexts } from '../messages/current.ts'
import type { PasskeyAccess } from '../passkeys/passkey-access.ts'
import type { Problem } from './action-state.ts'
import { isStale, type PasswordApi, passwordProblem } from './use-actions.ts'

type Proof = { password: string; credential?: PasskeyAssertion }

/** Makes a call that proves again who the user is, for one change. */
export type ProveAgain = <T>(signal: AbortSignal, call: (proof: Proof) => Promise<Reply<T>>) => Promise<Reply<T> | { problem: Problem }>

/** By the password. If the session is too old, confirms that password instead of asking for it again. */
export const byPassword =
  (api: PasswordApi, password: string): ProveAgain =>
  async (signal, call) => {
    const reply = await call({ password })
    if (reply.ok || password === '' || !isStale(reply.failure)) return reply
    const confirmed = await api.userPasswordConfirm({ password }, signal)
    return confirmed.ok ? call({ password }) : confirmed
  }

const noPasskey = (): { problem: Problem } => ({ problem: { at: 'page', message: accountTexts.confirm.noPasskey } })

/** By a passkey in place of the password. */
export const byPasskey = (passkeys: Pick<PasskeyAccess, 'prove'>): ProveAgain => {
  // A server that finds the session too old has not used the passkey. The call after the reauthentication shows it again.
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
