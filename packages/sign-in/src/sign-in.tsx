import { PlainForm } from '@gatehouse/ui/buttons/button.tsx'
import { Card, type Heading } from '@gatehouse/ui/layout/card.tsx'
import { Logo, type LogoElement, type LogoReplacement } from '@gatehouse/ui/layout/logo.tsx'
import { Surface } from '@gatehouse/ui/layout/surface.tsx'
import { retriable } from '@gatehouse/ui/loading/retriable.ts'
import { useChunk } from '@gatehouse/ui/loading/use-chunk.ts'
import { ErrorPanel } from '@gatehouse/ui/status/error-panel.tsx'
import type { Toast } from '@gatehouse/ui/toasts/toast.ts'
import { useToasts } from '@gatehouse/ui/toasts/use-toasts.tsx'
import type { Onward, SsoProviderName } from '@gatehouse/wire'
import type { FormResult, ProviderNotes, SignInPage } from '@gatehouse/wire/page-props'
import { useContext, useEffect, useMemo, useRef, useState } from 'react'
import type { Accent } from './accent.ts'
import { type AppearanceOptions, appearanceOf } from './appearance/appearance.tsx'
import type { DrawSlot } from './appearance/slot.tsx'
import type { Failure } from './calls/api.ts'
import { createLazyCalls, loadCalls } from './calls/lazy-calls.ts'
import { type Config, createConfig, type ServerAddress } from './config.ts'
import type { Emit, Method } from './events.ts'
import { failureToast } from './failure-toast.ts'
import { InLanguage } from './language/in-language.tsx'
import type { LeaveDeps } from './leave.ts'
import { logError } from './log.ts'
import { englishFirstLoad } from './messages/en-first-load.ts'
import type { BaseMessages, OwnMessages } from './messages/language-messages.ts'
import type { FirstLoadMessages } from './messages/messages.ts'
import { withEnglish } from './messages/with-english.ts'
import { LoadingPage } from './pages/loading.tsx'
import { LoginPage } from './pages/login/login.tsx'
import type { PageProps } from './pages/page-props.ts'
import { type LaterPages, PreloadedPages } from './preloaded-pages.ts'
import { reactVersionError } from './react-version.ts'
import { useEvents } from './use-events.ts'
import { type ChosenPage, usePage } from './use-page.ts'

/** A failure that the embedding page may want to record. */
export type ErrorReport = { message: string; cause: unknown }

/** `'stay'` keeps the page after a sign-in. */
// biome-ignore lint/suspicious/noConfusingVoidType: most functions of hosts return nothing
type Decision = 'stay' | undefined | void

/** TypeScript infers `Promise<string>` for `async () => 'stay'`, whatever type is expected. */
type LaterDecision = Promise<Decision | string>

/** Options of `<SignIn />` and of `mountSignIn`. None is required. */
export type SignInOptions = AppearanceOptions & {
  /** Address of the Gatehouse server. Default: the address of the page. */
  server?: ServerAddress
  /**
   * Replaces Gatehouse's logo: a React or DOM element, a function that draws, an image's address and text alternative, or another
   * name beside Gatehouse's mark. The type is spelled out, so that TypeScript's error for a string shows what to pass.
   */
  logo?: LogoElement | { src: string; alt: string } | { name: string } | Node | DrawSlot | undefined
  /** Colors derived from one accent: `deriveAccent('#0b6b5d')`. Default: the custom properties of the page. */
  accent?: Accent
  /** A heading above the form of the login page. Default: none, because the host page has one. */
  heading?: Heading | undefined
  /**
   * The language of the widget, as a BCP 47 tag: `de`, `pt-BR`. Its texts load on demand. The widget shows English if the package does
   * not contain the language. Default: English.
   */
  lang?: string | undefined
  /**
   * Texts in place of the language's own, or all texts of a language from `@gatehouse/sign-in/languages/*`. The latter need no `lang`,
   * and the widget shows them without loading any texts. Default: none.
   */
  messages?: OwnMessages | undefined
  /**
   * Single sign-on providers that the login page offers, in this order. An empty list also removes 'Or Sign in with'. Default: all three.
   */
  providers?: readonly SsoProviderName[] | undefined
  /** A line under the buttons of some providers, for example `{ google: 'Google didn’t respond a minute ago' }`. Default: none. */
  providerNotes?: ProviderNotes | undefined
  /** Whether the email field takes the focus when the widget appears. Default: no. */
  autoFocus?: boolean
  /** The first page, for example `{ at: 'forgot-password' }`. Default: the login page. */
  initialPage?: SignInPage
  /**
   * Chooses between login and forgot password; change it in `onPageChange`. Users reach all other pages during a sign-in. Default: the
   * widget chooses.
   */
  page?: ChosenPage | undefined
  /** Called when the user goes to the login or the forgot-password page. */
  onPageChange?: ((page: ChosenPage) => void) | undefined
  /** Receives what happens in the widget, without addresses or secrets. */
  onEvent?: Emit | undefined
  /**
   * Called after a sign-in, when the session has started. Return `'stay'` to keep the page; otherwise the widget goes to `next.address`.
   * Default: the server's token page decides where the browser goes.
   */
  onSignedIn?: ((next: Onward) => Decision | LaterDecision) | undefined
  /** Target of 'Back to Login', on a page that continues a sign-in from another page. Default: the widget's login page. */
  loginUrl?: string
  /**
   * Whether the widget sends a verification code as soon as it has six digits; after a refusal, only after an edit. Default: no,
   * the user presses Enter or the button.
   */
  submitCodeWhenComplete?: boolean | undefined
  /**
   * Whether users can sign in with passkeys and set them up. The server's RP ID must cover the page's domain. Default: no, because
   * servers other than Gatehouse do not support passkeys.
   */
  passkeys?: boolean | undefined
  /** Whether forms and buttons also work without a script. Only the pages of our own server support it. Default: no. */
  plainForms?: boolean
  /** The result of a form that was sent without a script, for the first page to show. */
  formResult?: FormResult | undefined
  /** Receives failures that users cannot fix. They contain no password, code or token. */
  onError?: (report: ErrorReport) => void
}

type ConfiguredSignInProps = SignInOptions & { texts?: BaseMessages | undefined }

const ConfiguredSignIn = ({ server, ...options }: ConfiguredSignInProps) => {
  const { scheme, host, port, basePath } = server ?? {}
  const config = useMemo(() => createConfig({ scheme, host, port, basePath }), [scheme, host, port, basePath])

  useEffect(() => {
    const load = () =>
      void loadCalls()
        .then(({ warnOfPageOrigin }) => warnOfPageOrigin(config))
        .catch(() => {})
    const early = setTimeout(load, idleMs)
    addEventListener('input', load, { once: true })
    return () => {
      clearTimeout(early)
      removeEventListener('input', load)
    }
  }, [config])

  const { logo, accent } = options
  useEffect(() => {
    if (import.meta.env.GATEHOUSE_OWN_PAGES || (typeof logo !== 'string' && typeof accent !== 'string')) return
    import('./explain-options.ts').then(({ explainTexts }) => explainTexts({ logo, accent })).catch(() => {})
  }, [logo, accent])

  return <SignInArea {...options} config={config} navigate={navigate} />
}

let hasLogged = false

/** Replaces the widget if the page's React is too old: renders nothing and logs one line. */
const UnsupportedReact = ({ message }: { message: string }) => {
  useEffect(() => {
    if (!hasLogged) logError(message)
    hasLogged = true
  }, [message])
  return null
}

/** The sign-in widget. After a sign-in it opens the server's token page, which leads to the dashboard. */
export const SignIn = (options: SignInOptions) => {
  if (reactVersionError !== undefined) return <UnsupportedReact message={reactVersionError} />
  // Our own server has already rendered these pages in the user's language.
  if (import.meta.env.GATEHOUSE_OWN_PAGES) return <ConfiguredSignIn {...options} />
  const { lang, messages } = options
  return (
    <InLanguage lang={lang} messages={messages}>
      {spoken => <ConfiguredSignIn {...options} lang={spoken.lang} texts={spoken.texts} />}
    </InLanguage>
  )
}

/** Load the code of the calls after this time, when the page has been usable for a while, or as soon as the user types. */
const idleMs = 2000

const navigate = (address: string) => window.location.assign(address)

type SignInAreaProps = Omit<SignInOptions, 'server'> & {
  /** All texts of the language, if they were loaded before the later pages. */
  texts?: BaseMessages | undefined
  /** For tests. Default: the calls of the server. */
  api?: PageProps['api']
  config: Config
  navigate: (address: string) => void
}

const loadLazyPages = retriable(() => import('./pages/lazy-pages.tsx'))

/** Loads the later pages, and their texts if the widget does not have them yet. */
const laterPages = (lang: string | undefined, texts: BaseMessages | undefined) => async (): Promise<LaterPages> => {
  const pages = await loadLazyPages()
  return { pages, texts: texts ?? (await pages.loadTexts(lang ?? 'en')) }
}

/** Holds the current page and its properties, shows failures, and leaves after a sign-in. */
export const SignInArea = ({
  api: given,
  config,
  navigate,
  lang,
  texts,
  messages: own,
  logo,
  accent,
  providers,
  heading,
  providerNotes,
  autoFocus = false,
  initialPage = { at: 'login' },
  page: chosen,
  onPageChange,
  onEvent,
  onSignedIn,
  loginUrl,
  submitCodeWhenComplete = false,
  passkeys = false,
  plainForms = false,
  formResult,
  onError,
  ...look
}: SignInAreaProps) => {
  const messages = useMemo(
    // Our own server writes all texts of the first load into the page, so the script contains no texts.
    () => (import.meta.env.GATEHOUSE_OWN_PAGES ? (own as FirstLoadMessages) : withEnglish(withEnglish(englishFirstLoad, texts), own)),
    [texts, own],
  )
  const api = useMemo(() => given ?? createLazyCalls(config, { passkeys }), [given, config, passkeys])
  const [page, show] = usePage(initialPage, chosen, onPageChange)
  const emit = useEvents(onEvent, page.at)
  const method = useRef<Method>(undefined)
  const [hasNavigated, setHasNavigated] = useState(false)
  const [panelError, setPanelError] = useState<{ message: string; detail: string | undefined }>()
  const toasts = useToasts(messages.toasts)
  const [loadLater] = useState(() => laterPages(lang, texts))
  const lazy = useChunk(loadLater, page.at !== 'login', useContext(PreloadedPages))
  const later = lazy.chunk.is === 'loaded' ? lazy.chunk.module : undefined
  const loadTexts = async () => {
    const { pages, texts: loaded } = await loadLater()
    return pages.spoken(texts ?? loaded, own, lang)
  }
  const allMessages = useMemo(() => later?.pages.spoken(texts ?? later.texts, own, lang), [later, texts, own, lang])

  /** Counts how often messages were cleared. A message that arrives after the next clearing is not shown. */
  const visit = useRef(0)

  const clearMessages = () => {
    visit.current++
    setPanelError(undefined)
    toasts.dismiss()
  }

  const go = (to: SignInPage) => {
    if (to.at === 'login' && loginUrl !== undefined) return navigate(loginUrl)
    setHasNavigated(true)
    clearMessages()
    show(to)
  }

  const leaveBy = (startSession: LeaveDeps['startSession']): PageProps['leave'] => {
    return async (token, signal, passkeysOfUser) => {
      const { leave } = await loadCalls()
      const deps = { config, navigate, api: given, startSession, onSignedIn, emit, method: method.current }
      await leave(deps, token, signal, passkeysOfUser)
    }
  }

  const showToast = async (toast: Toast) => {
    const during = visit.current
    const shown = await toasts.show(toast)
    if (shown || visit.current !== during) return
    setPanelError({ message: toast.text ?? toast.title, detail: toast.more?.detail })
  }

  const reportError = (report: ErrorReport) => {
    try {
      onError?.(report)
    } catch (error) {
      logError('options.onError threw', error)
    }
  }

  const onFailure = (failure: Failure) => {
    if (failure.is === 'malformed') return logError(failure.message)
    void showToast(failureToast(failure, messages))
    reportError({ message: failure.message, cause: failure })
  }

  const area: Omit<PageProps, 'api' | 'leave' | 'messages'> = {
    go,
    formAction: path => (plainForms ? config.linkBase + path : undefined),
    formResult: hasNavigated ? undefined : formResult,
    beforeCall: by => {
      clearMessages()
      // Load the later pages now, because the reply may lead to one of them.
      lazy.fetch()
      if (!by) return
      method.current = by
      emit({ type: 'attempt', method: by })
    },
    emit,
    onFailure,
    showToast: toast => void showToast(toast),
    logFailure: (message, cause) => {
      logError(message, cause)
      reportError({ message, cause })
    },
  }

  // No host page changes the look of our own pages.
  const appearance = import.meta.env.GATEHOUSE_OWN_PAGES ? undefined : appearanceOf({ ...look, lang, accent, logo, page: page.at })

  return (
    <Surface properties={appearance ? appearance.properties : accent} attributes={appearance?.attributes}>
      {appearance?.header}
      {toasts.outlet}
      <Card
        logo={appearance?.logo ?? <Logo replacement={logo as LogoReplacement} />}
        headed={page.at === 'login' ? !heading : !allMessages && lazy.chunk.is !== 'failed'}
      >
        <ErrorPanel title={messages.unexpected.title} {...panelError} />
        {page.at === 'login' ? (
          <LoginPage
            {...area}
            api={api}
            messages={messages}
            leave={leaveBy(api.plowlogin)}
            heading={heading}
            aboveForm={appearance?.aboveForm}
            methods={appearance?.methods}
            methodWords={appearance ? { ...texts?.methods, ...own?.methods } : undefined}
            linkBase={config.linkBase}
            providers={providers}
            passkeys={passkeys ? { config, loadTexts, calls: given?.passkeys } : undefined}
            providerNotes={providerNotes}
            initialEmail={page.email}
            focused={hasNavigated || autoFocus}
          />
        ) : later && allMessages ? (
          <later.pages.LazyPage
            {...area}
            api={given}
            config={config}
            messages={allMessages}
            leaveBy={leaveBy}
            page={page}
            submitCodeWhenComplete={submitCodeWhenComplete}
            passkeys={passkeys}
          />
        ) : (
          <LoadingPage messages={messages} failed={lazy.chunk.is === 'failed'} retry={lazy.retry} back={() => go({ at: 'login' })} />
        )}
        {page.at === 'login' && appearance?.belowForm}
      </Card>
      {appearance?.footer}
      {plainForms && <PlainForm />}
    </Surface>
  )
}
