import styles from './status-glyph.module.css'

/**
 * How a page ended. `done`: what the user wanted has happened. `used`: the link was already used. `expired`: it is too late or no longer
 * needed. `absent`: there is nothing here. `stopped`: something was refused. `attention`: the user has to do something first.
 */
export type EndStatus = 'done' | 'used' | 'expired' | 'absent' | 'stopped' | 'attention'

const tick = <path d="m13 20.6 4.8 4.8L27.4 15" />

const paths = {
  done: tick,
  used: tick,
  expired: (
    <>
      <circle cx="20" cy="20" r="9.5" />
      <path d="M20 14.5V20l3.6 2.4" />
    </>
  ),
  absent: (
    <>
      <circle cx="18.5" cy="18.5" r="7" />
      <path d="m23.8 23.8 4.7 4.7" />
    </>
  ),
  stopped: (
    <>
      <circle cx="20" cy="20" r="9.5" />
      <path d="m13.4 26.6 13.2-13.2" />
    </>
  ),
  attention: (
    <>
      <path d="M20 11.5v10.5" />
      <path d="M20 27.9v.1" strokeWidth="3.4" />
    </>
  ),
} satisfies Record<EndStatus, React.ReactNode>

/** A mark of 40 px above the heading of an end page. The heading says the same in words, so screen readers skip it. */
export const StatusGlyph = ({ status }: { status: EndStatus }) => (
  <svg
    className={`${styles.glyph} ${styles[status]}`}
    data-part="status"
    width={40}
    height={40}
    viewBox="0 0 40 40"
    fill="none"
    aria-hidden="true"
  >
    <circle className={styles.disc} cx="20" cy="20" r="19.5" />
    <g stroke="currentColor" strokeWidth="2.2" strokeLinecap="round" strokeLinejoin="round">
      {paths[status]}
    </g>
  </svg>
)
