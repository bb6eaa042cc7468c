import styles from './spinner.module.css'

/** A spinner of 18 px that turns once in 1.8 s (§9), and does not move for users who prefer reduced motion. Decorative: describe the operation in text too. */
export const Spinner = () => (
  <svg
    className={styles.spinner}
    data-part="spinner"
    viewBox="0 0 18 18"
    fill="none"
    stroke="currentColor"
    strokeWidth="2"
    aria-hidden="true"
  >
    <circle cx="9" cy="9" r="7" opacity="0.28" />
    <path d="M9 2a7 7 0 0 1 7 7" strokeLinecap="round" />
  </svg>
)
