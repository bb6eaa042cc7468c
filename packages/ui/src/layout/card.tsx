import type { ReactNode } from 'react'
import styles from './card.module.css'

type CardProps = {
  /** Stands at the top. */
  logo: ReactNode
  /** Whether the logo is the page's heading, because nothing below is. */
  headed?: boolean
  /** Whether it may grow to 466 px, for a page with a QR code. */
  wide?: boolean
  children: ReactNode
}

/** One card, 400 px wide; below 480 px it has no edge and takes the width there is. */
export const Card = ({ logo, headed = false, wide = false, children }: CardProps) => (
  <div className={`${styles.card} ${wide ? styles.wide : ''}`}>
    {headed ? <h1 className={styles.head}>{logo}</h1> : <div className={styles.head}>{logo}</div>}
    {children}
  </div>
)
