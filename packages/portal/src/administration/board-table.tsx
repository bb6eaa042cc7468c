import type { DateTimeFormat } from '@gatehouse/wire'
import type { ReactNode } from 'react'
import { administrationTexts as words } from '../messages/current.ts'
import { numberText } from '../messages/intl.ts'
import styles from './board.module.css'
import type { Figure } from './board-figures.ts'
import type { Shown } from './look.ts'
import type { Route } from './route.ts'
import { RouteLink } from './route-link.tsx'

/** The route to the steps that a bar or a tile counts: of one hour or day, or of the whole period. */
export const attemptsAt = (look: Shown, slots: readonly string[], slot?: number): Route => {
  const at = (index: number) => Date.parse(slots[index] ?? '')
  const [first, end] = slot === undefined ? [0, slots.length] : [slot, slot + 1]
  // The last slot is as long as the one before it.
  const until = end < slots.length ? at(end) : at(end - 1) + (at(slots.length - 1) - at(slots.length - 2))
  return { at: 'attempts', look, from: new Date(at(first)).toISOString(), until: new Date(until).toISOString(), after: undefined }
}

/**
 * A number, with a link to the attempts that it counts, if there are any. A hidden table has no
 * links, because the Tab key would stop at them.
 */
const Count = ({ shown, count, to }: { shown: boolean; count: number; to: Route }) => {
  const text = numberText(count)
  if (!shown || count === 0) return text
  return (
    <RouteLink to={to} className={styles.countLink}>
      {text}
    </RouteLink>
  )
}

type BoardTableProps = {
  figure: Figure
  slots: string[]
  step: 'Hour' | 'Day'
  dates: DateTimeFormat
  /** Whether the table is visible. If not, only screen readers get it, and the Tab key skips it. */
  shown: boolean
}

/** A chart's data as a table. */
export const BoardTable = ({ figure: { title, series, totals, total }, slots, step, dates, shown }: BoardTableProps) => (
  <Frame title={title} shown={shown}>
    <table className={styles.table}>
      <caption className={styles.caption}>{title}</caption>
      <thead>
        <tr>
          <th className={styles.headCell} scope="col">
            {words.board.time[step]}
          </th>
          {series.map(({ look, name }) => (
            <th key={look} className={styles.headCell} scope="col">
              {name}
            </th>
          ))}
          <th className={styles.headCell} scope="col">
            {words.board.total}
          </th>
        </tr>
      </thead>
      <tbody>
        {slots.map((at, slot) => (
          <tr key={at}>
            <th className={styles.rowHead} scope="row">
              {step === 'Hour' ? dates.dayTime(at) : dates.date(at)}
            </th>
            {series.map(({ look, counts }) => (
              <td key={look} className={styles.cell}>
                <Count shown={shown} count={counts[slot] ?? 0} to={attemptsAt(look, slots, slot)} />
              </td>
            ))}
            <td className={styles.cell}>{numberText(totals[slot] ?? 0)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th className={styles.rowHead} scope="row">
            {words.board.total}
          </th>
          {series.map(({ look, total: all }) => (
            <td key={look} className={styles.cell}>
              <Count shown={shown} count={all} to={attemptsAt(look, slots)} />
            </td>
          ))}
          <td className={styles.cell}>{numberText(total)}</td>
        </tr>
      </tfoot>
    </table>
  </Frame>
)

/** A scrolling region must be reachable by the Tab key and have its own name. */
const Frame = ({ title, shown, children }: { title: string; shown: boolean; children: ReactNode }) =>
  shown ? (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <section className={styles.tableScroll} tabIndex={0} aria-label={words.board.tableOf(title)}>
      {children}
    </section>
  ) : (
    <div>{children}</div>
  )
