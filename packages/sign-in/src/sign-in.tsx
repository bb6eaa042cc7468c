import { type AuthToken, pages } from '@gatehouse/wire'
import { useMemo, useState } from 'react'
import { type Api, createApi, type Failure } from './api.ts'
import { type Config, createConfig, type ServerAddress } from './config.ts'
import { english } from './messages/en.ts'
import type { Messages } from './messages/messages.ts'
import type { Page } from './next.ts'
import { LoginPage } from './pages/login.tsx'
import { NotThereYetPage } from './pages/not-there-yet.tsx'
import { useToasts } from './toasts/use-toasts.tsx'
import { Card } from './ui/card.tsx'
import { ErrorPanel } from './ui/error-panel.tsx'
import { Logo, type LogoReplacement } from './ui/logo.tsx'
import { Surface } from './ui/surface.tsx'

/** Something that went wrong and is worth a host's own records. */
export type Problem = { message: string; cause: unknown }

/** Options of `<SignIn />` and of `mountSignIn`. None is required. */
export type SignInOptions = {
  /** Where the Gatehouse server is. Default: where the page came from. */
  server?: ServerAddress
  /** Takes the place of Gatehouse's logo: an element, or a picture's address and words. */
  logo?: LogoReplacement
  /** Every sentence on the screen. Default: English. */
  messages?: Messages
  /** Whether the e-mail field takes the focus at once: right for a page that is there to sign in. Default: no. */
  autoFocus?: boolean
  /** Told of failures that a person cannot mend. Holds no password, code or token. */
  report?: (problem: Problem) => void
}

/** The sign-in area as a React component. It signs in and leaves for the server's token page; it gives nothing back. */
export const SignIn = ({ server, ...options }: SignInOptions) => {
  const { scheme, host, port, basePath } = server ?? {}
  const [config, api] = useMemo(() => {
    const made = createConfig({
      ...(scheme !== undefined && { scheme }),
      ...(host !== undefined && { host }),
      ...(port !== undefined && { port }),
      ...(basePath !== undefined && { basePath }),
    })
    return [made, createApi(made)] as const
  }, [scheme, host, port, basePath])
  return <SignInArea {...options} api={api} config={config} navigate={navigate} />
}

const navigate = (address: string) => window.location.assign(address)

type SignInAreaProps = Omit<SignInOptions, 'server'> & {
  api: Pick<Api, 'getAuthTokenWithError' | 'plowlogin'>
  config: Pick<Config, 'baseUrl' | 'linkBase'>
  navigate: (address: string) => void
}

/** How long a slow plowlogin may hold up somebody who is signed in; the token page starts the session just as well. */
const plowloginMs = 10_000

/** Which page shows, what it was handed, and how we leave. */
export const SignInArea = ({ api, config, navigate, messages = english, logo, autoFocus = false, report }: SignInAreaProps) => {
  const [page, setPage] = useState<Page>({ at: 'login' })
  const [turned, setTurned] = useState(false)
  const [trouble, setTrouble] = useState<string>()
  const toasts = useToasts(messages.toasts)

  const go = (to: Page) => {
    setTurned(true)
    setTrouble(undefined)
    setPage(to)
  }

  const leave = async (token: AuthToken, signal: AbortSignal) => {
    await api.plowlogin(token, AbortSignal.any([signal, AbortSignal.timeout(plowloginMs)]))
    if (!signal.aborted) navigate(config.baseUrl + pages.token(token.authTokenSelector, token.authTokenToken))
  }

  const onUnexpected = async (failure: Failure) => {
    const { title, advice, moreInfo } = messages.unexpected
    report?.({ message: failure.message, cause: failure })
    const shown = await toasts.show({
      kind: 'error',
      id: 'unexpected',
      title,
      text: advice,
      more: { label: moreInfo, detail: failure.detail },
    })
    setTrouble(shown ? undefined : failure.detail)
  }

  return (
    <Surface>
      <Card logo={<Logo replacement={logo} />} headed={page.at === 'login'}>
        <ErrorPanel title={messages.unexpected.title} message={trouble} />
        {page.at === 'login' ? (
          <LoginPage
            api={api}
            messages={messages}
            linkBase={config.linkBase}
            focused={turned || autoFocus}
            go={go}
            leave={leave}
            onTry={() => setTrouble(undefined)}
            onUnexpected={onUnexpected}
          />
        ) : (
          <NotThereYetPage key={page.at} words={messages.notThereYet} back={() => go({ at: 'login' })} />
        )}
      </Card>
      {toasts.outlet}
    </Surface>
  )
}
