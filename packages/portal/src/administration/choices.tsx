import { numberText } from '../messages/intl.ts'
import { useMarkedInView } from '../use-marked-in-view.ts'
import styles from './choices.module.css'
import type { Route } from './route.ts'
import { RouteLink } from './route-link.tsx'

type ChoicesProps<One extends string> = {
  name: string
  all: readonly One[]
  current: One
  labels: Record<One, string>
  /** How many entries each choice lists. */
  counts?: Record<One, number> | undefined
  to: (one: One) => Route
}

/** A choice among a few links, in a row that scrolls on phones. */
export const Choices = <One extends string>({ name, all, current, labels, counts, to }: ChoicesProps<One>) => {
  const row = useMarkedInView(current)
  return (
    <nav className={styles.choices} aria-label={name} ref={row} data-fading>
      {all.map(one => (
        <RouteLink key={one} to={to(one)} className={styles.choice} aria-current={one === current ? 'true' : undefined}>
          {labels[one]}
          {counts && <span className={styles.count}> {numberText(counts[one])}</span>}
        </RouteLink>
      ))}
    </nav>
  )
}
