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

/**
 * A logo that replaces ours: an element; the address and text alternative of an image; another name beside our mark; or, with `isPicture`, an
 * element that the page's own style sheet fills (`.brand-logo`), described by the name.
 */
export type LogoReplacement = ReactNode | { src: string; alt: string } | { name: string; isPicture?: boolean }

/** Gatehouse's logo, or its replacement. */
export const Logo = ({ replacement }: { replacement?: LogoReplacement }) => {
  if (!isPlain(replacement) && replacement !== undefined) return replacement
  if (replacement && 'src' in replacement) return <img className={styles.picture} src={replacement.src} alt={replacement.alt} />
  if (replacement?.isPicture) return <span className="brand-logo" role="img" aria-label={replacement.name} />
  return (
    <span className={styles.logo}>
      <LogoMark />
      {replacement?.name ?? 'Gatehouse'}
    </span>
  )
}

type Plain = Extract<LogoReplacement, { src: string } | { name: string }>

const isPlain = (replacement: LogoReplacement): replacement is Plain =>
  typeof replacement === 'object' && replacement !== null && ('src' in replacement || 'name' in replacement) && !isValidElement(replacement)
