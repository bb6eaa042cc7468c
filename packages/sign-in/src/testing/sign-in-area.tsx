import type { AuthOutcome, AuthToken, Factor, LoginRequest } from '@gatehouse/wire'
import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeAll, expect } from 'vitest'
import type { Api, Failure, Reply } from '../calls/api.ts'
import type { PasskeyApi } from '../calls/passkey-api.ts'
import type { PushApi } from '../calls/push-api.ts'
import { createConfig } from '../config.ts'
import { SignInArea, type SignInOptions } from '../sign-in.tsx'

export const token: AuthToken = { authTokenSelector: 'sel/1', authTokenToken: 'tok', authTokenUser: 'u1' }
export const malformed: Failure = { is: 'malformed', message: 'decodeAuthOutcome: Unknow tag', detail: '', status: 200 }
export const unreachable: Failure = { is: 'unreachable', message: 'Something went wrong', detail: 'POST /x: connection lost' }

export const factorUUID = '01234567-89ab-cdef-0123-456789abcdef'
export const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
export const uri = `otpauth://totp/Gatehouse:ada%40example.com?secret=${secret}&issuer=Gatehouse`
export const factor: Factor = {
  factorUUID,
  factorIdentity: 'u1',
  factorBinding: {
    tag: 'TOTPBinding',
    contents: {
      factorTOTPBindingFactorUUID: factorUUID,
      factorTOTPBindingSecret: secret,
      factorTOTPBindingAlg: 'SHA1',
      factorTOTPBindingURI: uri,
    },
  },
  factorFriendlyName: 'Phone',
  factorStatus: 'Unverified',
  factorFactorType: 'TOTP',
  factorDateCreated: '2026-11-20T03:00:00Z',
}

type Calls = Omit<Api, 'logoutBySelf'>
type CallName = keyof Calls
type Call = { name: CallName; body: unknown; signal: AbortSignal | undefined }

/** Renders the widget with calls whose replies the test provides. */
export const signInArea = (options: SignInOptions = {}, push?: PushApi, passkeys?: PasskeyApi) => {
  const calls: Call[] = []
  const visited: string[] = []
  const waiting = new Map<CallName, (reply: Reply<never>) => void>()

  const call =
    (name: CallName) =>
    (body: unknown, signal?: AbortSignal): Promise<Reply<never>> => {
      calls.push({ name, body, signal })
      return new Promise(resolve => waiting.set(name, resolve))
    }
  const api: Calls = {
    getAuthTokenWithError: call('getAuthTokenWithError'),
    plowlogin: call('plowlogin'),
    loginWithToken: call('loginWithToken'),
    handOver: call('handOver'),
    verifyOTP: call('verifyOTP'),
    setupOTP: call('setupOTP'),
    recoveryCode: call('recoveryCode'),
    resetOTP: call('resetOTP'),
    sendPasswordResetEmail: call('sendPasswordResetEmail'),
    magiclinkSend: call('magiclinkSend'),
    // Answered at once, so that the next call of the page is the one under test.
    magiclinkWait: async () => ({ ok: true, value: { number: '42' } }),
    magiclinkCode: call('magiclinkCode'),
  }
  const config = createConfig({ scheme: 'https', host: 'gate.example', port: '', basePath: '/in' })
  const all = { ...api, ...(push && { push }), ...(passkeys && { passkeys }) }
  const view = render(<SignInArea {...options} api={all} config={config} navigate={address => visited.push(address)} />)

  const reply = (name: CallName, reply: Reply<unknown>) => act(async () => waiting.get(name)?.(reply as Reply<never>))
  const bodies = (name: CallName) => calls.filter(call => call.name === name).map(({ body }) => body)
  return {
    ...view,
    calls,
    visited,
    bodies,
    user: userEvent.setup(),
    /** Replies to the last call with that name. */
    reply,
    succeed: (name: CallName, value: unknown) => reply(name, { ok: true, value }),
    refuse: (name: CallName, failure: Failure) => reply(name, { ok: false, failure }),
    get sent() {
      return calls
        .filter(call => call.name === 'getAuthTokenWithError')
        .map(({ body, signal }) => ({ login: body as LoginRequest, signal }))
    },
    get posted() {
      return bodies('plowlogin')
    },
    answer: (value: AuthOutcome) => reply('getAuthTokenWithError', { ok: true, value }),
    fail: (failure: Failure) => reply('getAuthTokenWithError', { ok: false, failure }),
    answerPlowlogin: (answer: Reply<void>) => reply('plowlogin', answer),
  }
}

/** Renders the widget and signs in with this outcome. */
export const areaAfter = async (outcome: AuthOutcome, options?: SignInOptions, push?: PushApi, passkeys?: PasskeyApi) => {
  const area = signInArea(options, push, passkeys)
  await fillIn(area)
  await area.user.click(submitButton())
  await area.answer(outcome)
  await waitFor(() => {
    expect(screen.queryByText('Loading')).toBeNull()
    // A page takes the focus in an effect, which React may run after the test sees the page.
    if (outcome.tag !== 'AuthSuccessful') expect(document.activeElement).not.toBe(document.body)
  })
  return area
}

export const email = () => screen.getByLabelText<HTMLInputElement>('Email')
export const password = () => screen.getByLabelText<HTMLInputElement>('Password')
export const submitButton = () => {
  const [button, ...others] = document.querySelectorAll<HTMLButtonElement>('button[type=submit]')
  if (!button || others.length > 0) throw new Error('expected one submit button')
  return button
}

export const fillIn = async ({ user }: Pick<ReturnType<typeof signInArea>, 'user'>) => {
  await user.type(email(), ' Ada@Example.COM ')
  await user.type(password(), ' Correct Horse ')
}

// On a busy machine, Vitest may need seconds to transform the lazy pages: longer than a test waits for them.
beforeAll(async () => {
  await import('../calls/after-first-load.ts')
  await import('../pages/lazy-pages.tsx')
}, 60_000)
afterEach(() => {
  cleanup()
  localStorage.clear()
})
