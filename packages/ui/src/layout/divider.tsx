import styles from './divider.module.css'

/** A horizontal line with a short text in its middle. */
export const Divider = ({ children }: { children: string }) => (
  <p className={styles.divider} data-part="divider">
    {children}
  </p>
)
