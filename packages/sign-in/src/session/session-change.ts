/** Events of the window reach watchers of every copy of the package on the page, such as the page script beside a bundled module. */
const name = 'gatehouse-session-change'

/** What this page did to the session. */
export type SessionChange = 'began' | 'ended'

/**
 * Base URL of the server at which this page last began a session. The first check that the server answers clears it, and so does
 * ending the session.
 */
let begunAt: string | undefined

/** Tells the page's watchers to check the session at once. */
export const tellSessionChange = (change: SessionChange, { baseUrl }: { baseUrl: string }) => {
  begunAt = change === 'began' ? baseUrl : undefined
  window.dispatchEvent(new CustomEvent<SessionChange>(name, { detail: change }))
}

/** Calls the listener after each change by this page. Returns a function that removes the listener. */
export const onSessionChange = (listener: (change: SessionChange) => void) => {
  const heard = (event: Event) => listener((event as CustomEvent<SessionChange>).detail)
  window.addEventListener(name, heard)
  return () => window.removeEventListener(name, heard)
}

/** Whether this is the first check of a session that this page began at the server. */
export const isFirstCheck = ({ baseUrl }: { baseUrl: string }) => {
  const isFirst = begunAt === baseUrl
  if (isFirst) begunAt = undefined
  return isFirst
}
