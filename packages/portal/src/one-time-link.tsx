import { createApi, createPortalApi, SignIn } from '@gatehouse/sign-in'
import { type AuthToken, pages } from '@gatehouse/wire'
import { hydrateRoot } from 'react-dom/client'
import { OneTimeLinkPage } from './one-time-link-page.tsx'
import { openMailLink } from './open-mail-link.ts'
import './page.css'

/** How long a slow call may hold up somebody who is signed in; the token page starts the session just as well. */
const sessionCallMs = 10_000

const { root, base, config, link } = openMailLink()
const { loginWithToken } = createApi(config)

const leave = async (token: AuthToken, signal: AbortSignal) => {
  await loginWithToken(token, AbortSignal.any([signal, AbortSignal.timeout(sessionCallMs)]))
  if (!signal.aborted) window.location.assign(config.baseUrl + pages.token(token.authTokenSelector, token.authTokenToken))
}

hydrateRoot(
  root,
  <OneTimeLinkPage
    link={link}
    base={base}
    api={createPortalApi(config)}
    leave={leave}
    goOn={page => <SignIn server={{ basePath: base }} initialPage={page} loginAddress={`${base}/`} />}
  />,
)
