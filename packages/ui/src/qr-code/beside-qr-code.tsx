import type { ReactNode } from 'react'
import styles from './beside-qr-code.module.css'

/**
 * The content of a card with a QR code in a figure, just before its caption. The card is 466 px wide, or 826 px where there is room for the
 * code beside the other content. In the document, the code is between the texts.
 */
export const BesideQrCode = ({ children }: { children: ReactNode }) => (
  <div className={styles.room}>
    <div className={styles.content}>{children}</div>
  </div>
)
