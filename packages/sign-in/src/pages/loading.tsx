import { Button, LinkButton } from '@gatehouse/ui/buttons/button.tsx'
import { CardHeading } from '@gatehouse/ui/layout/card.tsx'
import { Spinner } from '@gatehouse/ui/status/spinner.tsx'
import { useEffect, useRef } from 'react'
import type { FirstLoadMessages } from '../messages/messages.ts'
import styles from './loading.module.css'

type LoadingPageProps = { messages: FirstLoadMessages; failed: boolean; retry: () => void; back: () => void }

/** Shown while the code of the next page loads, and if it fails to load. */
export const LoadingPage = ({ messages, failed, retry, back }: LoadingPageProps) => {
  const words = messages.nextPage
  const progress = useRef<HTMLDivElement>(null)
  const retryButton = useRef<HTMLButtonElement>(null)
  useEffect(() => (failed ? retryButton : progress).current?.focus(), [failed])
  return (
    <>
      <div role="alert" className={styles.failed}>
        {failed && <CardHeading title={messages.unexpected.title} text={words.failed} />}
      </div>
      {failed ? (
        <div className={styles.actions}>
          <Button ref={retryButton} look="primary" onClick={retry}>
            {words.retry}
          </Button>
          <LinkButton onClick={back}>{messages.backToLogin}</LinkButton>
        </div>
      ) : (
        <div className={styles.wait} data-part="loading" ref={progress} tabIndex={-1}>
          <Spinner />
          {words.loading}
        </div>
      )}
    </>
  )
}
