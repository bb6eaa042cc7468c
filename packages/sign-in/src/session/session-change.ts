/** Events of the window reach watchers of every copy of the package on the page, such as the page script beside a bundled module. */
const name = 'gatehouse-session-change'

/** What this page did to the session. */
export type SessionChange = 'began' | 'ended'

/** Tells the page's watchers to check the session at once. */
export const tellSessionChange = (change: SessionChange) => window.dispatchEvent(new CustomEvent<SessionChange>(name, { detail: change }))

/** Calls the listener after each change by this page. Returns a function that removes the listener. */
export const onSessionChange = (listener: (change: SessionChange) => void) => {
  const heard = (event: Event) => listener((event as CustomEvent<SessionChange>).detail)
  window.addEventListener(name, heard)
  return () => window.removeEventListener(name, heard)
}
