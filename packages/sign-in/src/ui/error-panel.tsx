import styles from './banner.module.css'
import { Banner } from './banner.tsx'

/** The generic error panel (§2): 'Something went wrong', with the message below it. Empty while there is no message. */
export const ErrorPanel = ({ title, message }: { title: string; message?: string | undefined }) => (
  <Banner>
    {message && (
      <>
        <p className={styles.title}>{title}</p>
        <p>{message}</p>
      </>
    )}
  </Banner>
)
