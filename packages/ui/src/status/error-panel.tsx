import styles from './banner.module.css'
import { Banner } from './banner.tsx'

type ErrorPanelProps = { title: string; message?: string | undefined; detail?: string | undefined }

/** The generic error panel (§2): a title, the message and an optional detail. Empty without a message. */
export const ErrorPanel = ({ title, message, detail }: ErrorPanelProps) => (
  <Banner>
    {message && (
      <>
        <p className={styles.title}>{title}</p>
        <p>{message}</p>
        {detail && <p>{detail}</p>}
      </>
    )}
  </Banner>
)
