import type { Origin } from '@gatehouse/wire'
import type { ReactNode } from 'react'
import { Breakable } from '../breakable.tsx'
import { deviceOf } from '../origin.ts'
import type { Route } from './route.ts'
import { RouteLink } from './route-link.tsx'
import styles from './rows.module.css'

/**
 * A column. `isAct` marks the column of the rows’ buttons, whose heading is for screen readers only. The heading of a column with `sort`
 * is a link: `to` sorts by the column, or reverses the order.
 */
export type Column = { name: string; isAct?: boolean; sort?: { now: 'ascending' | 'descending' | undefined; to: Route } }

/** A table that becomes a stack of cards on narrow screens. Its roles are explicit, because CSS `display` removes the implicit ones. */
export const Rows = ({ name, columns, children }: { name: string; columns: readonly (string | Column)[]; children: ReactNode }) => (
  // biome-ignore-start lint/a11y/noRedundantRoles: see above
  <table className={styles.rows} role="table" aria-label={name}>
    <thead className={styles.rowsHead} role="rowgroup">
      <tr role="row" className={styles.headRow}>
        {columns
          .map(column => (typeof column === 'string' ? { name: column } : column))
          .map(({ name: title, sort, isAct }: Column, index) => (
            <th
              // biome-ignore lint/suspicious/noArrayIndexKey: no column moves, and two may have the same name in some language
              key={index}
              className={`${styles.headCell} ${sort ? styles.sortable : ''}`}
              scope="col"
              role="columnheader"
              aria-sort={sort?.now}
            >
              {sort ? (
                <RouteLink to={sort.to} className={styles.sortLink}>
                  {title}
                  <span className={styles.sortMark} aria-hidden="true">
                    {sort.now === 'descending' ? '↓' : '↑'}
                  </span>
                </RouteLink>
              ) : (
                <span className={isAct ? styles.unseen : undefined}>{title}</span>
              )}
            </th>
          ))}
      </tr>
    </thead>
    <tbody className={styles.rowsBody} role="rowgroup">
      {children}
    </tbody>
  </table>
  // biome-ignore-end lint/a11y/noRedundantRoles: see above
)

type CellProps = {
  /** The name of the cell's column. A card shows it before the cell. */
  column: string
  /** Whether the cell is the row's heading. */
  lead?: boolean
  /** Whether the cell contains the row's button, which needs no name on a card. */
  act?: boolean
  children: ReactNode
}

export const Cell = ({ column, lead = false, act = false, children }: CellProps) => (
  <td
    className={[lead ? styles.leadCell : styles.cell, act && styles.actCell].filter(Boolean).join(' ')}
    // biome-ignore lint/a11y/noRedundantRoles: see Rows
    role="cell"
    data-column={column}
  >
    {children}
  </td>
)

/** A date, or a date and a time. A narrow column may wrap between the two, and nowhere else. */
export const Moment = ({ children }: { children: string }) => {
  const [, day, time] = /^(.+) ([\d:]{5,8})$/.exec(children) ?? []
  return (
    <span className={styles.moment}>
      {time === undefined ? (
        children
      ) : (
        <>
          <span className={styles.whole}>{day}</span> <span className={styles.whole}>{time}</span>
        </>
      )}
    </span>
  )
}

const longestIPv4 = 15

/** An IP address. On a card, a long one takes the whole width. `wraps`: between its parts, in a table with many columns. */
export const Address = ({ wraps = false, children }: { wraps?: boolean; children: string }) => (
  <bdi className={children.length > longestIPv4 ? `${styles.address} ${styles.longAddress}` : styles.address}>
    {wraps ? <Breakable>{children}</Breakable> : children}
  </bdi>
)

/** The browser, and below it the IP address. */
export const From = ({ from, children }: { from: Origin; children?: ReactNode }) => (
  <span className={styles.from}>
    <span>
      {deviceOf(from)} {children}
    </span>
    <Address>{from.address}</Address>
  </span>
)
