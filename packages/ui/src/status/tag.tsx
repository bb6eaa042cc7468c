import styles from './tag.module.css'

/** A short label in a rounded box; amber for warnings. */
export const Tag = ({ tone = 'plain', children }: { tone?: 'plain' | 'amber'; children: string }) => (
  <span className={`${styles.tag} ${styles[tone]}`} data-part="tag">
    {children}
  </span>
)
