import type { PortalApi } from '../calls/portal-api.ts'
import { openOtherTabs } from './other-tabs.ts'

/** How long after a tab left the sign-in page the others look whether it has signed in, in milliseconds: a phone takes its time. */
const looks = [500, 2000, 6000]

/**
 * What a tab with the sign-in page does besides signing in: it keeps the fragment of the address it leads back to, sees to it
 * that it is its own address it leads back to, and goes on by itself once somebody has signed in in another tab.
 * @param options.goOn leaves the sign-in page: the server sends on whoever is signed in
 * @returns how to stop it
 */
export const startSignInTab = (options: {
  api: Pick<PortalApi, 'returnFragment' | 'sessionCheck'>
  /** Path under which the server answers, without a slash at its end. */
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
    if (!reply.ok || !reply.value.signedIn || isGoing || signal.aborted) return
    isGoing = true
    goOn()
  }

  /** The server knows of one target for a browser: that of the tab in which somebody did something last. */
  const claim = () => {
    if (!returnId || document.visibilityState !== 'visible') return
    // As the server names it: over https no other host can plant one with this prefix.
    const isSecure = window.location.protocol === 'https:'
    const start = isSecure ? `__Host-gatehouse-return=${returnId}; path=/; secure` : `gatehouse-return=${returnId}; path=${base || '/'}`
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is younger than browsers we serve
    document.cookie = `${start}; max-age=1800; samesite=lax`
  }

  const arrive = () => {
    if (others) return
    others = openOtherTabs()
    others.hear('signed-in', () => void look())
    others.hear('left-sign-in', () => {
      for (const after of looks) setTimeout(() => void look(), after)
    })
    claim()
  }
  const leave = () => {
    // Who goes on because of the others tells them nothing: two tabs would send each other round for ever.
    if (!isGoing) others?.tell({ type: 'left-sign-in' })
    // A page that listens is not kept for the back button.
    others?.close()
    others = undefined
  }

  arrive()
  // Brought back from the browser's store without a word to the server, which would have sent on whoever is signed in by now.
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
  // Whatever begins a sign-in is a click, Enter in a field as well.
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
