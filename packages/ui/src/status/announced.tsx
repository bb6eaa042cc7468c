import type { ReactNode } from 'react'
import styles from './announced.module.css'

/**
 * Read out, not seen: for what is shown where it cannot announce itself, such as in a button. Always there, for a screen
 * reader announces only what changes in a region that it knows.
 */
export const Announced = ({ children }: { children?: ReactNode }) => (
  <span role="status" className={styles.announced}>
    {children}
  </span>
)
