import type { PortalApi } from '../calls/portal-api.ts'
import { openOtherTabs } from './other-tabs.ts'

/** When the other tabs check for a sign-in after a tab has left the sign-in page, in milliseconds. Slow phones need the later checks. */
const looks = [500, 2000, 6000]

/**
 * Runs in every tab with the sign-in page: sends the return address's fragment to the server, makes this tab's target the one to
 * return to, and continues when another tab has signed in.
 * @param options.goOn leaves the sign-in page; the server redirects a signed-in user
 * @returns a function that stops all of this
 */
export const startSignInTab = (options: {
  api: Pick<PortalApi, 'returnFragment' | 'sessionCheck'>
  /** The server's base path, without a slash at the end. */
  base: string
  goOn: () => void
}): (() => void) => {
  const { api, base, goOn } = options
  const stop = new AbortController()
  const { signal } = stop
  const returnId = /^[\w-]+$/.exec(new URLSearchParams(window.location.search).get('return') ?? '')?.[0]
  let others: ReturnType<typeof openOtherTabs> | undefined
  let isGoing = false

  const look = async () => {
    if (isGoing || signal.aborted) return
    const reply = await api.sessionCheck(signal)
    // The server shows the sign-in page to users who must sign in again.
    const hasSignedIn = reply.ok && reply.value.signedIn && !reply.value.signingInAgain
    if (!hasSignedIn || isGoing || signal.aborted) return
    isGoing = true
    goOn()
  }

  /** The server stores one target per browser. Make it that of the tab the user touched last. */
  const claim = () => {
    if (!returnId || document.visibilityState !== 'visible') return
    // The cookie's name as in the server. Over https, the prefix prevents other hosts from setting it.
    const isSecure = window.location.protocol === 'https:'
    const start = isSecure ? `__Host-gatehouse-return=${returnId}; path=/; secure` : `gatehouse-return=${returnId}; path=${base || '/'}`
    // biome-ignore lint/suspicious/noDocumentCookie: some supported browsers lack the Cookie Store API
    document.cookie = `${start}; max-age=1800; samesite=lax`
  }

  const arrive = () => {
    if (others) return
    others = openOtherTabs()
    others.listen('signed-in', () => void look())
    const lookRepeatedly = () => {
      for (const after of looks) setTimeout(() => void look(), after)
    }
    others.listen('left-sign-in', lookRepeatedly)
    if (others.hasMissedSignIn()) lookRepeatedly()
    claim()
  }
  const leave = () => {
    // A tab that follows the others must not notify them, or two tabs would notify each other forever.
    if (!isGoing) others?.send({ type: 'left-sign-in' })
    // An open channel keeps the page out of the back/forward cache.
    others?.close()
    others = undefined
  }

  arrive()
  // The browser may restore the page without asking the server, which would have redirected a signed-in user.
  const [navigation] = performance.getEntriesByType('navigation')
  if (navigation && 'type' in navigation && navigation.type === 'back_forward') void look()
  if (returnId && window.location.hash.length > 1) void api.returnFragment({ returnId, returnFragment: window.location.hash }, signal)
  document.addEventListener(
    'visibilitychange',
    () => {
      claim()
      if (document.visibilityState === 'visible') void look()
    },
    { signal },
  )
  // Every sign-in starts with a click: Enter in a field also fires one.
  window.addEventListener('click', claim, { signal, capture: true })
  window.addEventListener('pagehide', leave, { signal })
  window.addEventListener(
    'pageshow',
    ({ persisted }) => {
      if (!persisted) return
      isGoing = false
      arrive()
      void look()
    },
    { signal },
  )
  return () => {
    stop.abort()
    others?.close()
  }
}
