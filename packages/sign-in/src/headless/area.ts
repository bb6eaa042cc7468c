import type { SsoProviderName } from '@gatehouse/wire'
import type { SignInPage } from '@gatehouse/wire/page-props'
import type { Api } from '../calls/api.ts'
import { createPasskeyApi } from '../calls/passkey-api.ts'
import { createPushApi } from '../calls/push-api.ts'
import type { Config } from '../config.ts'
import type { Messages } from '../messages/messages.ts'
import type { DeepPartial } from '../messages/with-english.ts'
import type { PageProps } from '../pages/page-props.ts'
import { hasPasskeys } from '../passkeys/has-passkeys.ts'
import type { PasskeyPage } from '../passkeys/passkey-sign-in.ts'

/** What all headless pages share. */
export type HeadlessArea = Omit<PageProps, 'api' | 'leave' | 'formAction' | 'formResult'> & {
  api: Api
  config: Config
  providers: readonly SsoProviderName[]
  /** The texts that the host changes. */
  own: DeepPartial<Messages> | undefined
  passkeys: boolean
  /** Makes `leave` for the call that starts the session. */
  leaveBy: (startSession: Api['loginWithToken']) => PageProps['leave']
  onChange: () => void
}

/** The properties that the flow of a later page needs. */
export const pagePropsOf = (area: HeadlessArea): PageProps => ({
  ...area,
  formAction: () => undefined,
  leave: area.leaveBy(area.api.loginWithToken),
})

export const passkeyPageOf = ({ passkeys, config, own }: HeadlessArea): PasskeyPage | undefined =>
  passkeys && hasPasskeys() ? { config, messages: own, calls: undefined } : undefined

export const passkeyCallsOf = ({ config }: HeadlessArea) => createPasskeyApi(config)
export const pushCallsOf = ({ config }: HeadlessArea) => createPushApi(config)

/** One page: what to draw, whether it is busy, and how to end it. */
export type HeadlessPage<View> = { view: () => View; isBusy: () => boolean; stop: () => void }

export type PageAt<At extends SignInPage['at']> = Extract<SignInPage, { at: At }>
