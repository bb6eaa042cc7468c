import type { SsoProviderName } from '@gatehouse/wire'
import type { SignInPage } from '@gatehouse/wire/page-props'
import type { Api } from '../calls/api.ts'
import { createPasskeyApi } from '../calls/passkey-api.ts'
import { createPushApi } from '../calls/push-api.ts'
import type { Config } from '../config.ts'
import type { PageProps } from '../pages/page-props.ts'
import { hasPasskeys } from '../passkeys/has-passkeys.ts'
import type { PasskeyPage } from '../passkeys/passkey-sign-in.ts'

/** Properties that all headless pages share. */
export type HeadlessArea = Omit<PageProps, 'api' | 'leave' | 'formAction' | 'formResult'> & {
  api: Api
  config: Config
  providers: readonly SsoProviderName[]
  passkeys: boolean
  /** Returns a `leave` that starts the session with this call. */
  leaveBy: (startSession: Api['loginWithToken']) => PageProps['leave']
  onChange: () => void
}

/** The properties that the flow of a later page needs. */
export const pagePropsOf = (area: HeadlessArea): PageProps => ({
  ...area,
  formAction: () => undefined,
  leave: area.leaveBy(area.api.loginWithToken),
})

export const passkeyPageOf = ({ passkeys, config, messages }: HeadlessArea): PasskeyPage | undefined =>
  passkeys && hasPasskeys() ? { config, loadTexts: async () => messages, calls: undefined } : undefined

export const passkeyCallsOf = ({ config }: HeadlessArea) => createPasskeyApi(config)
export const pushCallsOf = ({ config }: HeadlessArea) => createPushApi(config)

/** One page: what to draw, whether it is busy, and how to end it. */
export type HeadlessPage<View> = {
  view: () => View
  isBusy: () => boolean
  stop: () => void
  /** Offers passkeys in the autofill of the host's email field. Returns a function that ends the offer. */
  offer?: (() => () => void) | undefined
}

export type PageAt<At extends SignInPage['at']> = Extract<SignInPage, { at: At }>
