import { Button, LinkButton } from '@gatehouse/ui/buttons/button.tsx'
import { ErrorPanel } from '@gatehouse/ui/status/error-panel.tsx'
import { Spinner } from '@gatehouse/ui/status/spinner.tsx'
import { useEffect, useRef } from 'react'
import type { MessagesAtFirst } from '../messages/messages.ts'
import styles from './loading.module.css'

type WaitingPageProps = { messages: MessagesAtFirst; failed: boolean; retry: () => void; back: () => void }

/** Holds the place of a page whose code is on its way or did not arrive. */
export const WaitingPage = ({ messages, failed, retry, back }: WaitingPageProps) => {
  const words = messages.nextPage
  const place = useRef<HTMLDivElement>(null)
  const retryButton = useRef<HTMLButtonElement>(null)
  useEffect(() => (failed ? retryButton : place).current?.focus(), [failed])
  return (
    <>
      <ErrorPanel title={messages.unexpected.title} message={failed ? words.failed : undefined} />
      {failed ? (
        <div className={styles.actions}>
          <Button ref={retryButton} look="primary" onClick={retry}>
            {words.retry}
          </Button>
          <LinkButton onClick={back}>{messages.backToLogin}</LinkButton>
        </div>
      ) : (
        <div className={styles.wait} ref={place} tabIndex={-1}>
          <Spinner />
          {words.loading}
        </div>
      )}
    </>
  )
}
