import { type RefObject, useEffect, useRef } from 'react'

/** For a row of links that scrolls sideways on narrow screens: scrolls the current link into view whenever `current` changes. */
export const useMarkedInView = (current: unknown): RefObject<HTMLElement | null> => {
  const row = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: with each current link
  useEffect(() => {
    const marked = row.current?.querySelector<HTMLElement>('[aria-current]')
    if (row.current && marked && !isInside(marked, row.current)) row.current.scrollLeft += centerOf(marked) - centerOf(row.current)
  }, [current])
  return row
}

const centerOf = (element: HTMLElement) => {
  const { left, width } = element.getBoundingClientRect()
  return left + width / 2
}

const isInside = (inner: HTMLElement, outer: HTMLElement) => {
  const [a, b] = [inner.getBoundingClientRect(), outer.getBoundingClientRect()]
  return a.left >= b.left && a.right <= b.right
}
