import styles from './tag.module.css'

/** A word or two beside something, in a rounded box; amber for what wants care. */
export const Tag = ({ tone = 'plain', children }: { tone?: 'plain' | 'amber'; children: string }) => (
  <span className={`${styles.tag} ${styles[tone]}`}>{children}</span>
)
