import type { ReactNode } from 'react'
import styles from './card.module.css'

type CardProps = {
  /** Shown at the top. */
  logo: ReactNode
  /** Whether the logo is the page's heading, because the content has none. */
  headed?: boolean
  /** Whether the card may grow to 466 px. */
  wide?: boolean
  children: ReactNode
}

/** A card, 400 px wide. On screens below 480 px it has no border and takes the full width. */
export const Card = ({ logo, headed = false, wide = false, children }: CardProps) => (
  <div className={`${styles.card} ${wide ? styles.wide : ''}`} data-part="card">
    {headed ? (
      <h1 className={styles.head} data-part="logo">
        {logo}
      </h1>
    ) : (
      <div className={styles.head} data-part="logo">
        {logo}
      </div>
    )}
    {children}
  </div>
)

/** The title of a page of the first load, and a line below it. Other pages use `Title`, which can take the focus. */
export type Heading = { title: string; text?: string | undefined }

export const CardHeading = ({ title, text }: Heading) => (
  <div className={styles.heading}>
    <h1 className={styles.title} data-part="title">
      {title}
    </h1>
    {text && (
      <p className={styles.text} data-part="text">
        {text}
      </p>
    )}
  </div>
)
