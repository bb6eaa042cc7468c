import styles from './banner.module.css'
import { Banner } from './banner.tsx'

type ErrorPanelProps = { title: string; message?: string | undefined; detail?: string | undefined }

/** The generic error panel (§2): 'Something went wrong', with the message below it and, where there is one, the detail. Empty while there is no message. */
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
