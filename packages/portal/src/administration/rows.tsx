import type { ReactNode } from 'react'
import styles from './administration.module.css'

/** A table that turns into a stack of cards where there is no room for it; its roles are said, for a display that is none takes them away. */
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
  /** The name of its column, which stands before it on a card. */
  column: string
  /** Whether it says what the row is about. */
  lead?: boolean
  /** Whether it is an instant, which stays on one line. */
  moment?: boolean
  children: ReactNode
}

export const Cell = ({ column, lead = false, moment = false, children }: CellProps) => (
  // biome-ignore lint/a11y/noRedundantRoles: see Rows
  <td className={`${lead ? styles.leadCell : styles.cell} ${moment ? styles.moment : ''}`} role="cell" data-column={column}>
    {children}
  </td>
)
