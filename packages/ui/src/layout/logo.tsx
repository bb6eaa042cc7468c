import { isValidElement, type ReactNode } from 'react'
import styles from './logo.module.css'

/** The logo's mark: a gate with a lit opening. It also works in one color and at 16 px. */
export const LogoMark = ({ size = 24 }: { size?: number }) => (
  <svg width={size} height={size} viewBox="4 4 24 24" fill="currentColor" aria-hidden="true">
    {/* Behind the gate and a little wider than its opening: edges that only touch would show a seam. */}
    <path className={styles.light} d="M9.5 28v-8a6.5 6.5 0 0 1 13 0v8z" />
    <path d="M4 28V4h6v4h4V4h4v4h4V4h6v24h-6v-8a6 6 0 0 0-12 0v8z" />
  </svg>
)

/** A logo that replaces ours: an element, or the address and text alternative of an image. */
export type LogoReplacement = ReactNode | { src: string; alt: string }

/** Gatehouse's logo, or its replacement. */
export const Logo = ({ replacement }: { replacement?: LogoReplacement }) => {
  if (isPicture(replacement)) return <img className={styles.picture} src={replacement.src} alt={replacement.alt} />
  if (replacement !== undefined) return replacement
  return (
    <span className={styles.logo}>
      <LogoMark />
      Gatehouse
    </span>
  )
}

const isPicture = (replacement: LogoReplacement): replacement is { src: string; alt: string } =>
  typeof replacement === 'object' && replacement !== null && 'src' in replacement && !isValidElement(replacement)
