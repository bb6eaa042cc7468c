import { translate } from '@gatehouse/language/translate.ts'
import type { Toast } from '@gatehouse/ui/toasts/toast.ts'
import type { Onward, SsoProviderName } from '@gatehouse/wire'
import type { SignInPage } from '@gatehouse/wire/page-props'
import { createApi } from '../calls/api.ts'
import { createConfig, type ServerAddress } from '../config.ts'
import type { Emit, Method, SignInEvent } from '../events.ts'
import { failureToast } from '../failure-toast.ts'
import { leave } from '../leave.ts'
import { logError } from '../log.ts'
import { english } from '../messages/en.ts'
import { type OwnMessages, wholeLanguage } from '../messages/language-messages.ts'
import { verificationType, withoutPasskey } from '../pages/factor-pages.ts'
import { hasPasskeys } from '../passkeys/has-passkeys.ts'
import type { HeadlessArea, HeadlessPage, PageAt } from './area.ts'
import { forgotPasswordPage, loginPage } from './first-pages.ts'
import {
  approveOnPhonePage,
  createFactorPage,
  passkeyFactorPage,
  recoveryCodePage,
  resetFactorPage,
  verifyFactorPage,
} from './later-pages.ts'
import type { Notice, PageView, SignInView } from './view.ts'

/** Options of `createSignIn` and `useSignIn`, which mean the same as those of the widget. None is required. */
export type HeadlessOptions = {
  server?: ServerAddress | undefined
  /** Texts that replace the English ones, or all texts of a language from `@gatehouse/sign-in/languages/*`. */
  messages?: OwnMessages | undefined
  /** Default: all three. */
  providers?: readonly SsoProviderName[] | undefined
  /** Offers passkeys, also in the autofill of a field with `autocomplete="username webauthn"`. */
  passkeys?: boolean | undefined
  initialPage?: SignInPage | undefined
  onEvent?: Emit | undefined
  /** Return `'stay'` to keep the page. */
  onSignedIn?: ((next: Onward) => unknown) | undefined
  onError?: ((report: { message: string; cause: unknown }) => void) | undefined
}

/** A sign-in without markup. */
export type HeadlessSignIn = {
  /** What to draw now. The same object until something changes. */
  getView: () => SignInView
  /**
   * Calls the listener after each change. The sign-in runs while it has a listener: without one, it aborts its call.
   * @returns a function that removes the listener
   */
  subscribe: (listener: () => void) => () => void
}

/** Creates a sign-in that draws nothing: the pages and state machines of the widget, for your own markup. */
export const createSignIn = (options: HeadlessOptions = {}): HeadlessSignIn => {
  const config = createConfig(options.server)
  const { passkeys = false, providers = ['google', 'azure', 'pak'] } = options
  const tag = wholeLanguage(options.messages)?.language ?? 'en'
  const messages = options.messages ? translate(english, options.messages, tag) : english
  const api = createApi(config, { passkeys })
  const listeners = new Set<() => void>()
  let notice: Notice | undefined
  let method: Method | undefined
  let view: SignInView | undefined
  let hasBegun = false
  let offered: HeadlessPage<PageView>['offer']
  let endOffer: (() => void) | undefined

  /** Offers passkeys in the autofill while the page is idle and has a listener. A browser allows one request for passkeys at a time. */
  const offerPasskeys = () => {
    const offer = listeners.size > 0 && !page.isBusy() ? page.offer : undefined
    if (offer === offered) return
    offered = offer
    endOffer?.()
    endOffer = offer?.()
  }

  const onChange = () => {
    view = undefined
    offerPasskeys()
    for (const listener of listeners) listener()
  }

  const guarded = (name: string, run: () => void) => {
    try {
      run()
    } catch (error) {
      logError(`options.${name} threw`, error)
    }
  }
  const emit = (event: SignInEvent) => guarded('onEvent', () => options.onEvent?.(event))
  const report = (message: string, cause: unknown) => guarded('onError', () => options.onError?.({ message, cause }))

  const showToast = ({ title, text, more }: Toast) => {
    notice = { title, text, detail: more?.detail }
    onChange()
  }

  const leaveBy: HeadlessArea['leaveBy'] = startSession => (token, signal, passkeysOfUser) => {
    const { onSignedIn } = options
    const navigate = (address: string) => window.location.assign(address)
    return leave({ config, navigate, api, startSession, onSignedIn, emit, method }, token, signal, passkeysOfUser)
  }

  const tellPage = () => emit({ type: 'page-shown', page: page.view().at })

  const go = (to: SignInPage) => {
    page.stop()
    page = openPage(to, area)
    notice = undefined
    tellPage()
    onChange()
  }

  const area: HeadlessArea = {
    api,
    config,
    messages,
    providers,
    passkeys,
    go,
    leaveBy,
    onChange,
    emit,
    showToast,
    beforeCall: by => {
      notice = undefined
      if (!by) return
      method = by
      emit({ type: 'attempt', method: by })
    },
    onFailure: failure => {
      if (failure.is === 'malformed') return logError(failure.message)
      showToast(failureToast(failure, messages))
      report(failure.message, failure)
    },
    logFailure: (message, cause) => {
      logError(message, cause)
      report(message, cause)
    },
  }

  let page = openPage(options.initialPage ?? { at: 'login' }, area)

  const onPageShow = ({ persisted }: PageTransitionEvent) => persisted && page.stop()

  return {
    getView: () => {
      view ??= { notice, busy: page.isBusy(), ...page.view() }
      return view
    },
    subscribe: listener => {
      if (listeners.size === 0) {
        window.addEventListener('pageshow', onPageShow)
        // StrictMode subscribes twice.
        if (!hasBegun) tellPage()
        hasBegun = true
      }
      listeners.add(listener)
      offerPasskeys()
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        window.removeEventListener('pageshow', onPageShow)
        page.stop()
        offerPasskeys()
      }
    },
  }
}

const openPage = (to: SignInPage, area: HeadlessArea): HeadlessPage<PageView> => {
  const page = to.at === 'login' || hasPasskeys() ? to : withoutPasskey(to)
  switch (page.at) {
    case 'login':
      return loginPage(page, area)
    case 'forgot-password':
      return forgotPasswordPage(page, area)
    case 'verify-factor':
      return verificationPage(page, area)
    case 'approve-on-phone':
      return approveOnPhonePage(page, true, area)
    case 'use-passkey':
      return passkeyFactorPage(page, area)
    case 'create-factor':
      return createFactorPage(page, area)
    case 'reset-factor':
      return resetFactorPage(page, area)
    case 'recovery-code':
      return recoveryCodePage(page, area)
  }
}

const verificationPage = (page: PageAt<'verify-factor'>, area: HeadlessArea): HeadlessPage<PageView> => {
  switch (verificationType(page)) {
    case 'TOTP':
      return verifyFactorPage(page, area)
    case 'Push':
      return approveOnPhonePage(page, false, area)
    case 'Passkey':
      return passkeyFactorPage({ ...page, at: 'use-passkey' } as PageAt<'use-passkey'>, area)
  }
}
