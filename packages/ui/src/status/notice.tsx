import { DoneIcon } from '../icons/news-icons.tsx'
import styles from './banner.module.css'

/** Good news about the whole page: a title, with the message below it. Empty while there is no message. */
export const Notice = ({ title, message }: { title: string; message?: string | undefined }) => (
  <div role="status">
    {message && (
      <div className={`${styles.banner} ${styles.good}`}>
        <DoneIcon />
        <div>
          <p className={styles.title}>{title}</p>
          <p>{message}</p>
        </div>
      </div>
    )}
  </div>
)
