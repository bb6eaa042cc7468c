import type { ReactNode } from 'react'
import styles from './administration.module.css'

/** A table that becomes a stack of cards on narrow screens. Its roles are explicit, because CSS `display` removes the implicit ones. */
export const Rows = ({ name, columns, children }: { name: string; columns: readonly string[]; children: ReactNode }) => (
  // biome-ignore-start lint/a11y/noRedundantRoles: see above
  <table className={styles.rows} role="table" aria-label={name}>
    <thead className={styles.rowsHead} role="rowgroup">
      <tr role="row">
        {columns.map(column => (
          <th key={column} className={styles.headCell} scope="col" role="columnheader">
            {column}
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
  /** The name of its column, shown before it on a card. */
  column: string
  /** Whether it is the row's heading. */
  lead?: boolean
  /** Whether it is a date, which does not wrap. */
  moment?: boolean
  children: ReactNode
}

export const Cell = ({ column, lead = false, moment = false, children }: CellProps) => (
  // biome-ignore lint/a11y/noRedundantRoles: see Rows
  <td className={`${lead ? styles.leadCell : styles.cell} ${moment ? styles.moment : ''}`} role="cell" data-column={column}>
    {children}
  </td>
)
