import type { ReactNode } from 'react'
import styles from './surface.module.css'
import './theme.css'

/** The widget's root: gives type, colours and colour scheme to what is in it, and touches nothing outside. */
export const Surface = ({ children }: { children: ReactNode }) => (
  <div className={styles.surface} data-gatehouse="">
    {children}
  </div>
)
