import { SuccessIcon } from '../icons/status-icons.tsx'
import styles from './banner.module.css'

/** A success that concerns the whole page: a title and a message. Empty without a message. */
export const Notice = ({ title, message }: { title: string; message?: string | undefined }) => (
  <div role="status">
    {message && (
      <div className={`${styles.banner} ${styles.good}`}>
        <SuccessIcon />
        <div>
          <p className={styles.title}>{title}</p>
          <p>{message}</p>
        </div>
      </div>
    )}
  </div>
)
