import { retriable } from '@gatehouse/ui/loading/retriable.ts'
import type { AuthOutcome } from '@gatehouse/wire'
import type { Credentials } from '@gatehouse/wire/page-props'
import type { Api, Reply } from '../../calls/api.ts'
import { codeMissing, loadCalls } from '../../calls/lazy-calls.ts'
import type { ChosenPasskey, PasskeyPage } from '../../passkeys/passkey-sign-in.ts'
import type { LoginDeps } from './login-reply.ts'

type LoginFlowDeps = LoginDeps & {
  api: Pick<Api, 'getAuthTokenWithError'>
  /** Undefined where the page offers no passkeys. */
  passkeys: PasskeyPage | undefined
}

export const loadPasskeys = retriable(() => import('../../passkeys/login-passkeys.ts'))

/** Signs in on the login page (§4), with a password or with a passkey alone. The code that handles replies is loaded together with the API calls, on the first submit. */
export const createLogin = ({ api, passkeys, ...deps }: LoginFlowDeps) => {
  const { call, dispatch } = deps

  const begin = (by: 'password' | 'passkey') => {
    const signal = call.begin()
    deps.beforeCall(by)
    dispatch({ type: 'submitted' })
    return signal
  }

  const follow = async (reply: Reply<AuthOutcome>, credentials: Credentials, by: 'password' | 'passkey', signal: AbortSignal) => {
    if (signal.aborted) return
    const code = await loadCalls().catch(codeMissing)
    if ('followLogin' in code) return code.followLogin(reply, credentials, by, signal, deps)
    call.end()
    dispatch({ type: 'stayed' })
    deps.onFailure(code.failure)
  }

  return {
    signIn: async (credentials: Credentials) => {
      const signal = begin('password')
      await follow(await api.getAuthTokenWithError({ ...credentials, useragent: '' }, signal), credentials, 'password', signal)
    },
    signInWithPasskey: async (chosen?: ChosenPasskey) => {
      if (!passkeys || call.isRunning()) return
      const signal = begin('passkey')
      const ended = await loadPasskeys()
        .then(module => module.signInWithPasskey(passkeys, chosen, signal))
        .catch(cause => ({ reply: codeMissing(cause) }))
      if ('reply' in ended) await follow(ended.reply, { username: '', password: '' }, 'passkey', signal)
      else if (!signal.aborted) {
        call.end()
        deps.emit({ type: 'failed', method: 'passkey', why: 'no-passkey' })
        dispatch({ type: 'failed', reason: 'passkey', message: ended.problem })
      }
    },
  }
}
