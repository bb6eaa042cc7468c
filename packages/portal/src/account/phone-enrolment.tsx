import { ChallengeNumber, LazyQrCode, type Reply } from '@gatehouse/sign-in'
import { Button } from '@gatehouse/ui/buttons/button.tsx'
import { useInterval } from '@gatehouse/ui/hooks/timers.ts'
import { Announced } from '@gatehouse/ui/status/announced.tsx'
import { Banner } from '@gatehouse/ui/status/banner.tsx'
import { Spinner } from '@gatehouse/ui/status/spinner.tsx'
import type { PushLink, PushProgress } from '@gatehouse/wire'
import { useEffect, useRef, useState } from 'react'
import type { PortalApi } from '../calls/portal-api.ts'
import { failureMessage } from '../failure-message.ts'
import { accountTexts, signInTexts } from '../messages/current.ts'
import { CopyableText } from './copyable-text.tsx'
import styles from './phone-enrolment.module.css'

type PhoneEnrolmentProps = {
  link: PushLink
  api: Pick<PortalApi, 'userFactorPushAgain' | 'userFactorPushProgress'>
  /** The phone has approved its first challenge. */
  onVerified: () => void
  onSignedOut: () => void
  onCancel: () => void
}

const words = () => accountTexts.factors.phone

/** How often to ask the server for the phone's progress, in seconds. */
const pollEvery = 1.5

/** Shows the link that sets up a phone, then the number to type there. */
export const PhoneEnrolment = ({ link, api, onVerified, onSignedOut, onCancel }: PhoneEnrolmentProps) => {
  const [progress, setProgress] = useState<PushProgress>({ tag: 'Waiting' })
  const [problem, setProblem] = useState<string>()
  const [isAsking, setIsAsking] = useState(false)
  const heading = useRef<HTMLParagraphElement>(null)
  const running = useRef(false)
  const { tag } = progress
  const { factorUUID } = link

  const take = (reply: Reply<PushProgress>) => {
    if (!reply.ok) {
      if (reply.failure.status === 401) return onSignedOut()
      // The next poll may reach the server again.
      return setProblem(failureMessage(reply.failure))
    }
    setProblem(undefined)
    setProgress(reply.value)
    if (reply.value.tag === 'Verified') onVerified()
  }

  const look = async () => {
    if (running.current) return
    running.current = true
    const reply = await api.userFactorPushProgress({ factorUUID })
    running.current = false
    take(reply)
  }
  useInterval(() => void look(), tag === 'Waiting' || tag === 'Asked' ? pollEvery : null)

  const again = async () => {
    setIsAsking(true)
    const reply = await api.userFactorPushAgain({ factorUUID })
    setIsAsking(false)
    take(reply)
  }

  // Focus each new step. The dialog opens in an effect that runs after this one.
  // biome-ignore lint/correctness/useExhaustiveDependencies: with each step
  useEffect(() => {
    queueMicrotask(() => heading.current?.focus())
  }, [tag])

  return (
    <>
      <Banner>{problem ?? saying(progress)}</Banner>
      {tag !== 'Over' && tag !== 'Failed' && (
        <p className={styles.text} ref={heading} tabIndex={-1}>
          {tag === 'Waiting' ? words().scan : words().asked}
        </p>
      )}
      {tag === 'Waiting' && <Link link={link.link} />}
      {tag === 'Asked' && (
        <div className={styles.number}>
          <ChallengeNumber {...progress.contents} isOpen words={signInTexts.approveOnPhone} />
        </div>
      )}
      {tag === 'Verified' && <Running>{words().verified}</Running>}
      {tag === 'Failed' && (
        <Button look="primary" progress={isAsking ? 'running' : undefined} onClick={() => void again()}>
          {isAsking ? words().asking : words().again}
        </Button>
      )}
      <Announced>{tag === 'Verified' && words().verified}</Announced>
      <div className={styles.cancel}>
        <Button onClick={onCancel}>{tag === 'Over' ? accountTexts.close : accountTexts.cancel}</Button>
      </div>
    </>
  )
}

const saying = (progress: PushProgress) => {
  switch (progress.tag) {
    case 'Failed': {
      const { challengeStatus, challengeRespondedReason } = progress.contents
      return challengeStatus === 'Expired' ? words().expired : words().failed[challengeRespondedReason.tag]
    }
    case 'Over':
      return accountTexts.factors.over
    case 'Waiting':
    case 'Asked':
    case 'Verified':
      return undefined
  }
}

const Running = ({ children }: { children: string }) => (
  <p className={styles.waiting}>
    <Spinner />
    {children}
  </p>
)

const Link = ({ link }: { link: string }) => {
  const figure = useRef<HTMLElement>(null)
  return (
    <figure className={styles.figure} ref={figure} tabIndex={-1}>
      <LazyQrCode value={link} label={words().qrCode} messages={signInTexts} onRetry={() => figure.current?.focus()} />
      <Running>{words().waiting}</Running>
      <figcaption className={styles.link}>
        <p className={styles.caption}>{words().sameDevice}</p>
        <CopyableText text={link} words={words()} />
      </figcaption>
    </figure>
  )
}
