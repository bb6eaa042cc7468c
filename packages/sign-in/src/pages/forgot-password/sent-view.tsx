import { Title } from '@gatehouse/ui/layout/statement.tsx'
import { StatusGlyph } from '@gatehouse/ui/status/status-glyph.tsx'
import type { RefObject } from 'react'
import type { Messages } from '../../messages/messages.ts'
import styles from './sent-view.module.css'

type SentViewProps = {
  words: Messages['forgotPassword']
  /** The sentence of §8 about the sent email. Undefined until an email was sent. */
  message: string | undefined
  /** Undefined after a form that was sent without a script. */
  address: string | undefined
  /** The heading, which takes the focus after the email was sent. */
  heading: RefObject<HTMLHeadingElement | null>
}

/** Says that the email was sent, and to which address. The live region always exists: screen readers announce only changes. */
export const SentView = ({ words, message, address, heading }: SentViewProps) => (
  <div role="status">
    {message && (
      <div className={styles.sent}>
        <StatusGlyph status="done" />
        <div className={styles.said}>
          <Title ref={heading}>{words.sent}</Title>
          <p className={styles.message} data-part="text">
            {message}
          </p>
        </div>
        {address && (
          <p className={styles.address} data-part="text">
            {words.sentTo(address)}
          </p>
        )}
      </div>
    )}
  </div>
)
