import { useEffect, useRef, useState } from 'react'
import { accountTexts } from '../messages/current.ts'
import { useMarkedInView } from '../use-marked-in-view.ts'
import styles from './section-links.module.css'

/** `id` is that of the section's heading. */
export type SectionLink = { id: string; title: string }

/** Links to the sections of the page: beside them on wide screens, in a row above them on narrow ones. Marks the section in view. */
export const SectionLinks = ({ sections }: { sections: readonly SectionLink[] }) => {
  const { current, choose } = useSectionInView(sections.map(({ id }) => id))
  const row = useMarkedInView<HTMLUListElement>(current)

  return (
    <nav className={styles.links} aria-label={accountTexts.sections}>
      {/* biome-ignore lint/a11y/noRedundantRoles: without bullets, some screen readers announce a list only with an explicit role */}
      <ul className={styles.row} role="list" ref={row} data-fading>
        {sections.map(({ id, title }) => (
          <li key={id}>
            <a className={styles.link} href={`#${id}`} aria-current={id === current ? 'location' : undefined} onClick={() => choose(id)}>
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** Events that show that the user, not a script, may be scrolling. */
const movements = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const

/**
 * The section that the user is reading. A chosen section stays marked until the user scrolls: a
 * section near the end of the page may never reach the top of the window.
 */
const useSectionInView = (ids: readonly string[]) => {
  const [current, setCurrent] = useState(ids[0])
  const isChosen = useRef(false)
  const hasMoved = useRef(false)
  const before = useRef<readonly string[]>(undefined)
  const all = ids.join(' ')

  const choose = (id: string) => {
    isChosen.current = true
    setCurrent(id)
  }

  useEffect(() => {
    const known = all.split(' ')
    const look = () => {
      if (isChosen.current) return
      const { scrollTop, scrollHeight } = document.documentElement
      const isAtEnd = scrollTop > 0 && scrollTop + window.innerHeight >= scrollHeight - 2
      const line = window.innerHeight / 3
      const passed = known.filter(id => (document.getElementById(id)?.getBoundingClientRect().top ?? Number.POSITIVE_INFINITY) <= line)
      setCurrent((isAtEnd ? known : passed).at(-1) ?? known[0])
    }
    const follow = () => {
      const asked = window.location.hash.slice(1)
      if (!known.includes(asked)) return look()
      isChosen.current = true
      setCurrent(asked)
    }
    const release = () => {
      isChosen.current = false
      hasMoved.current = true
    }
    follow()
    // The browser could not scroll to a section that loads later than the page, such as the passes.
    const late = before.current && known.find(id => id === window.location.hash.slice(1) && !before.current?.includes(id))
    if (late && !hasMoved.current) document.getElementById(late)?.scrollIntoView()
    before.current = known
    window.addEventListener('scroll', look, { passive: true })
    window.addEventListener('resize', look)
    window.addEventListener('hashchange', follow)
    for (const movement of movements) window.addEventListener(movement, release, { passive: true })
    return () => {
      window.removeEventListener('scroll', look)
      window.removeEventListener('resize', look)
      window.removeEventListener('hashchange', follow)
      for (const movement of movements) window.removeEventListener(movement, release)
    }
  }, [all])

  return { current, choose }
}
