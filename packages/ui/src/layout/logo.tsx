import { isValidElement, type ReactNode } from 'react'
import styles from './logo.module.css'

/** The logo's mark: a gate arch with a lit opening. Its edges lie on whole pixels at 16 px, and it works in one color. */
export const LogoMark = ({ size = 24 }: { size?: number }) => (
  <svg width={size} height={size} viewBox="0 0 24 24" fill="currentColor" aria-hidden="true">
    <path d="M0 24V12a12 12 0 0 1 24 0v12h-6V12a6 6 0 0 0-12 0v12z" />
    <path className={styles.light} d="M7.5 24V12a4.5 4.5 0 0 1 9 0v12z" />
  </svg>
)

/** What React renders, except strings: an image's address would show as text. A string is an iterable too. */
export type LogoElement = Exclude<ReactNode, string | number | bigint | Iterable<ReactNode>>

/** A logo that replaces ours: an element; the address and text alternative of an image; or another name beside our mark. */
export type LogoReplacement = LogoElement | { src: string; alt: string } | { name: string }

/** Gatehouse's logo, or its replacement. */
export const Logo = ({ replacement }: { replacement?: LogoReplacement }) => {
  if (!isPlain(replacement) && replacement !== undefined) return replacement
  if (replacement && 'src' in replacement) return <img className={styles.picture} src={replacement.src} alt={replacement.alt} />
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
