import styles from './divider.module.css'

/** A few words on a line across. */
export const Divider = ({ children }: { children: string }) => <p className={styles.divider}>{children}</p>
