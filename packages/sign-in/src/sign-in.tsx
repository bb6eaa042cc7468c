import { PlainForm } from '@gatehouse/ui/buttons/button.tsx'
import { Card } from '@gatehouse/ui/layout/card.tsx'
import { Logo, type LogoReplacement } from '@gatehouse/ui/layout/logo.tsx'
import { Surface } from '@gatehouse/ui/layout/surface.tsx'
import { retriable } from '@gatehouse/ui/loading/retriable.ts'
import { useChunk } from '@gatehouse/ui/loading/use-chunk.ts'
import { ErrorPanel } from '@gatehouse/ui/status/error-panel.tsx'
import type { Toast } from '@gatehouse/ui/toasts/toast.ts'
import { useToasts } from '@gatehouse/ui/toasts/use-toasts.tsx'
import { type AuthToken, pages, type SsoProviderName } from '@gatehouse/wire'
import type { FormResult, SignInPage } from '@gatehouse/wire/page-props'
import { useContext, useEffect, useMemo, useRef, useState } from 'react'
import type { Failure } from './calls/api.ts'
import { createFirstCalls, loadCalls } from './calls/lazy-calls.ts'
import { type Config, createConfig, type ServerAddress } from './config.ts'
import { logError } from './log.ts'
import { englishAtFirst } from './messages/en-first-load.ts'
import type { Messages } from './messages/messages.ts'
import { type DeepPartial, withEnglish } from './messages/with-english.ts'
import { WaitingPage } from './pages/loading.tsx'
import { LoginPage } from './pages/login/login.tsx'
import type { PageProps } from './pages/page-props.ts'
import { PreloadedPages } from './preloaded-pages.ts'
import { reactProblem } from './react-version.ts'

/** Something that went wrong and is worth a host's own records. */
export type Problem = { message: string; cause: unknown }

/** Options of `<SignIn />` and of `mountSignIn`. None is required. */
export type SignInOptions = {
  /** Where the Gatehouse server is. Default: where the page came from. */
  server?: ServerAddress
  /** Takes the place of Gatehouse's logo: an element, or a picture's address and words. */
  logo?: LogoReplacement
  /** Sentences on the screen that differ from the English ones. Default: none. */
  messages?: DeepPartial<Messages>
  /**
   * Providers of single sign-on that the login page offers, in this order: `google`, `azure`, `pak`. None: no 'Or Sign in with'
   * either. Default: all three.
   */
  providers?: readonly SsoProviderName[] | undefined
  /** Whether the e-mail field takes the focus at once: right for a page that is there to sign in. Default: no. */
  autoFocus?: boolean
  /** The page that shows first; `{ at: 'forgot-password' }`, say. Default: the login page. */
  initialPage?: SignInPage
  /**
   * Where 'Back to Login' leads, for a page that only goes on with a sign-in begun on another. Default: to the area's own login
   * page.
   */
  loginAddress?: string
  /**
   * Whether a verification code is sent by itself once its six digits are in; one that was refused not again until it was
   * edited. Default: no, Enter or the button sends it.
   */
  submitCodeWhenComplete?: boolean
  /** Whether forms and buttons work without a script too, as they do on our own server's pages and on no other's. Default: no. */
  plainForms?: boolean
  /** What came of a form that was sent without a script; the first page says it. */
  said?: FormResult | undefined
  /** Told of failures that a person cannot mend. Holds no password, code or token. */
  report?: (problem: Problem) => void
}

const OnPage = ({ server, ...options }: SignInOptions) => {
  const { scheme, host, port, basePath } = server ?? {}
  const config = useMemo(() => createConfig({ scheme, host, port, basePath }), [scheme, host, port, basePath])

  useEffect(() => {
    const load = () =>
      void loadCalls()
        .then(({ warnOfPageOrigin }) => warnOfPageOrigin(config))
        .catch(() => {})
    const early = setTimeout(load, restMs)
    addEventListener('input', load, { once: true })
    return () => {
      clearTimeout(early)
      removeEventListener('input', load)
    }
  }, [config])

  return <SignInArea {...options} config={config} navigate={navigate} />
}

let isTold = false

/** In place of an area that would fail in one of its hooks: one line on the console. */
const TooOld = ({ message }: { message: string }) => {
  useEffect(() => {
    if (!isTold) logError(message)
    isTold = true
  }, [message])
  return null
}

/** The sign-in area as a React component. It signs in and leaves for the server's token page; it gives nothing back. */
export const SignIn = (options: SignInOptions) => (reactProblem === undefined ? <OnPage {...options} /> : <TooOld message={reactProblem} />)

/** When the page has long been usable. Who types before that is about to sign in. */
const restMs = 2000

const navigate = (address: string) => window.location.assign(address)

type SignInAreaProps = Omit<SignInOptions, 'server'> & {
  /** A test's own calls. Default: those of the server. */
  api?: PageProps['api']
  config: Config
  navigate: (address: string) => void
}

/** How long a slow call may hold up somebody who is signed in; the token page starts the session just as well. */
const sessionCallMs = 10_000

const loadLaterPages = retriable(() => import('./pages/lazy-pages.tsx'))

/** Which page shows, what it was handed, and how we leave. */
export const SignInArea = ({
  api: given,
  config,
  navigate,
  messages: catalog,
  logo,
  providers,
  autoFocus = false,
  initialPage = { at: 'login' },
  loginAddress,
  submitCodeWhenComplete = false,
  plainForms = false,
  said,
  report,
}: SignInAreaProps) => {
  const messages = useMemo(() => withEnglish(englishAtFirst, catalog), [catalog])
  const api = useMemo(() => given ?? createFirstCalls(config), [given, config])
  const [page, setPage] = useState<SignInPage>(initialPage)
  const [turned, setTurned] = useState(false)
  const [trouble, setTrouble] = useState<{ message: string; detail: string | undefined }>()
  const toasts = useToasts(messages.toasts)
  const later = useChunk(loadLaterPages, page.at !== 'login', useContext(PreloadedPages))

  /** Raised whenever what was said before no longer holds: what comes late then is left unsaid. */
  const visit = useRef(0)

  const startAfresh = () => {
    visit.current++
    setTrouble(undefined)
    toasts.dismiss()
  }

  const go = (to: SignInPage) => {
    if (to.at === 'login' && loginAddress !== undefined) return navigate(loginAddress)
    setTurned(true)
    startAfresh()
    setPage(to)
  }

  const leaveBy = (startSession: (token: AuthToken, signal: AbortSignal) => Promise<unknown>): PageProps['leave'] => {
    return async (token, signal) => {
      await startSession(token, AbortSignal.any([signal, AbortSignal.timeout(sessionCallMs)]))
      if (!signal.aborted) navigate(config.baseUrl + pages.token(token.authTokenSelector, token.authTokenToken))
    }
  }

  const notify = async (toast: Toast) => {
    const during = visit.current
    const shown = await toasts.show(toast)
    if (shown || visit.current !== during) return
    setTrouble({ message: toast.text ?? toast.title, detail: toast.more?.detail })
  }

  const tellHost = (problem: Problem) => {
    try {
      report?.(problem)
    } catch (error) {
      logError('options.report threw', error)
    }
  }

  const onFailure = (failure: Failure) => {
    if (failure.is === 'malformed') return logError(failure.message)
    const { title, advice, moreInfo } = messages.unexpected
    void notify({ kind: 'error', id: 'unexpected', title, text: advice, more: { label: moreInfo, detail: failure.detail } })
    tellHost({ message: failure.message, cause: failure })
  }

  const area: Omit<PageProps, 'api' | 'leave' | 'messages'> = {
    go,
    plain: path => (plainForms ? config.linkBase + path : undefined),
    said: turned ? undefined : said,
    onTry: () => {
      startAfresh()
      // Whatever the answer is, the next page may be needed.
      later.fetch()
    },
    onFailure,
    notify: toast => void notify(toast),
    onLogged: (message, cause) => {
      logError(message, cause)
      tellHost({ message, cause })
    },
  }

  return (
    <Surface>
      <Card
        logo={<Logo replacement={logo} />}
        headed={page.at === 'login' || later.chunk.is !== 'loaded'}
        wide={page.at === 'create-factor'}
      >
        <ErrorPanel title={messages.unexpected.title} {...trouble} />
        {page.at === 'login' ? (
          <LoginPage
            {...area}
            api={api}
            messages={messages}
            leave={leaveBy(api.plowlogin)}
            linkBase={config.linkBase}
            providers={providers}
            initialEmail={page.email}
            focused={turned || autoFocus}
          />
        ) : later.chunk.is === 'loaded' ? (
          <later.chunk.module.LaterPage
            {...area}
            api={given}
            config={config}
            messages={catalog}
            leaveBy={leaveBy}
            page={page}
            submitCodeWhenComplete={submitCodeWhenComplete}
          />
        ) : (
          <WaitingPage messages={messages} failed={later.chunk.is === 'failed'} retry={later.retry} back={() => go({ at: 'login' })} />
        )}
      </Card>
      {plainForms && <PlainForm />}
      {toasts.outlet}
    </Surface>
  )
}
