import { type ComponentProps, createContext, type MouseEvent, useContext } from 'react'
import { addressOf, type Place } from './route.ts'

/** How to get about: the path under which the server answers, and what goes to a place without loading the page anew. */
export type Way = { base: string; go: (place: Place) => void }
export const WayContext = createContext<Way>({ base: '', go: () => {} })

/** A link to a place of this page; opened in another tab it works as any other. */
export const PlaceLink = ({ to, ...link }: Omit<ComponentProps<'a'>, 'href' | 'onClick'> & { to: Place }) => {
  const { base, go } = useContext(WayContext)
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
