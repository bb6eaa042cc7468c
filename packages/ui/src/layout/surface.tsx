import type { ReactNode } from 'react'
import styles from './surface.module.css'
import './theme.css'

/** The root of all components: sets type, colors and color scheme inside, and changes nothing outside. */
export const Surface = ({ children }: { children: ReactNode }) => (
  <div className={styles.surface} data-gatehouse="">
    {children}
  </div>
)
