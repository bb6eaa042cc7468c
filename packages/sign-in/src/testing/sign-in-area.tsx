import type { AuthOutcome, AuthToken, LoginRequest } from '@gatehouse/wire'
import { act, cleanup, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach } from 'vitest'
import type { Failure, Reply } from '../api.ts'
import { createConfig } from '../config.ts'
import { SignInArea, type SignInOptions } from '../sign-in.tsx'

export const token: AuthToken = { authTokenSelector: 'sel/1', authTokenToken: 'tok', authTokenUser: 'u1' }
export const malformed: Failure = { is: 'malformed', message: 'decodeAuthOutcome: Unknow tag', detail: '', status: 200 }
export const unreachable: Failure = { is: 'unreachable', message: 'Something went wrong', detail: 'POST /x: connection lost' }

/** The sign-in area over calls that the test answers itself. */
export const signInArea = (options: SignInOptions = {}) => {
  const sent: { login: LoginRequest; signal: AbortSignal | undefined }[] = []
  const posted: AuthToken[] = []
  const visited: string[] = []
  let answerLogin: (reply: Reply<AuthOutcome>) => void = () => {}
  let answerPlowlogin: (reply: Reply<void>) => void = () => {}

  const api = {
    getAuthTokenWithError: (login: LoginRequest, signal?: AbortSignal) => {
      sent.push({ login, signal })
      return new Promise<Reply<AuthOutcome>>(resolve => (answerLogin = resolve))
    },
    plowlogin: (posting: AuthToken) => {
      posted.push(posting)
      return new Promise<Reply<void>>(resolve => (answerPlowlogin = resolve))
    },
  }
  const config = createConfig({ scheme: 'https', host: 'gate.example', port: '', basePath: '/in' })
  const view = render(<SignInArea {...options} api={api} config={config} navigate={address => visited.push(address)} />)

  return {
    ...view,
    sent,
    posted,
    visited,
    user: userEvent.setup(),
    answer: (value: AuthOutcome) => act(async () => answerLogin({ ok: true, value })),
    fail: (failure: Failure) => act(async () => answerLogin({ ok: false, failure })),
    answerPlowlogin: (reply: Reply<void>) => act(async () => answerPlowlogin(reply)),
  }
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

afterEach(cleanup)
