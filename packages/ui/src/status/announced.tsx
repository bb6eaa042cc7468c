import type { ReactNode } from 'react'
import styles from './announced.module.css'

/**
 * Text for screen readers only, for changes that they would otherwise not announce, such as a button's new label. Render it always: a
 * screen reader announces only changes in a region that already exists.
 */
export const Announced = ({ children }: { children?: ReactNode }) => (
  <span role="status" className={styles.announced}>
    {children}
  </span>
)
