import { type ComponentProps, createContext, type MouseEvent, useContext } from 'react'
import { addressOf, type Route } from './route.ts'

/**
 * The server's base path, and functions that open a route without loading the page again: as a new entry of the history, or in place of the
 * current one.
 */
type Navigation = { base: string; go: (route: Route) => void; replace: (route: Route) => void }
export const NavigationContext = createContext<Navigation>({ base: '', go: () => {}, replace: () => {} })

/** A link to a route of this page. It also works in a new tab. */
export const RouteLink = ({ to, ...link }: Omit<ComponentProps<'a'>, 'href' | 'onClick'> & { to: Route }) => {
  const { base, go } = useContext(NavigationContext)
  const follow = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    go(to)
  }
  return (
    <a {...link} href={base + addressOf(to)} onClick={follow}>
      {link.children}
    </a>
  )
}
