import type { CSSProperties, ReactNode } from 'react'
import styles from './surface.module.css'
import './theme.css'

/** The root of all components: sets type, colors and color scheme inside, and changes nothing outside. `properties` are custom properties. */
export const Surface = ({ properties, children }: { properties?: CSSProperties | undefined; children: ReactNode }) => (
  <div className={styles.surface} data-gatehouse="" data-part="root" style={properties}>
    {children}
  </div>
)
