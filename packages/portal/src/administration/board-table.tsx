import type { DateTimeFormat } from '@gatehouse/wire'
import styles from './board.module.css'
import type { Figure } from './board-figures.ts'
import { words } from './words.ts'

type BoardTableProps = {
  figure: Figure
  slots: string[]
  step: 'Hour' | 'Day'
  dates: DateTimeFormat
  /** Whether it is visible. If not, only screen readers get it, and the Tab key skips it. */
  shown: boolean
}

/** A chart's data as a table. */
export const BoardTable = ({ figure: { title, series, totals, total }, slots, step, dates, shown }: BoardTableProps) => (
  <section className={shown ? styles.tableScroll : undefined} tabIndex={shown ? 0 : undefined} aria-label={title}>
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
                {(counts[slot] ?? 0).toLocaleString('en-GB')}
              </td>
            ))}
            <td className={styles.cell}>{(totals[slot] ?? 0).toLocaleString('en-GB')}</td>
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
              {all.toLocaleString('en-GB')}
            </td>
          ))}
          <td className={styles.cell}>{total.toLocaleString('en-GB')}</td>
        </tr>
      </tfoot>
    </table>
  </section>
)
