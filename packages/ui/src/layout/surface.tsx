import type { CSSProperties, ReactNode } from 'react'
import styles from './surface.module.css'
import './theme.css'

/** For the language, the theme and the density of the widget. */
export type SurfaceAttributes = Readonly<Record<`data-${string}`, string | undefined>> & { lang?: string; dir?: 'ltr' | 'rtl' }

type SurfaceProps = {
  /** Custom properties. */
  properties?: CSSProperties | undefined
  attributes?: SurfaceAttributes | undefined
  children: ReactNode
}

/** The root of all components: sets type, colors and color scheme inside, and changes nothing outside. */
export const Surface = ({ properties, attributes, children }: SurfaceProps) => (
  <div className={styles.surface} data-gatehouse="" data-part="root" style={properties} {...attributes}>
    {children}
  </div>
)
