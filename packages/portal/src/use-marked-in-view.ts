import { type RefObject, useEffect, useRef } from 'react'
import './fading-end.css'

/**
 * For a row of links that scrolls sideways on narrow screens: centers the current link in the row
 * whenever `current` changes.
 */
export const useMarkedInView = <E extends HTMLElement = HTMLElement>(current: unknown): RefObject<E | null> => {
  const row = useRef<E>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: with each current link
  useEffect(() => {
    const marked = row.current?.querySelector<HTMLElement>('[aria-current]')
    if (row.current && marked) row.current.scrollLeft += centerOf(marked) - centerOf(row.current)
  }, [current])
  return row
}

const centerOf = (element: HTMLElement) => {
  const { left, width } = element.getBoundingClientRect()
  return left + width / 2
}
