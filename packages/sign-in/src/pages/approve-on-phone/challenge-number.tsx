import { useInterval } from '@gatehouse/ui/hooks/timers.ts'
import { useHydrated } from '@gatehouse/ui/hooks/use-hydrated.ts'
import { Announced } from '@gatehouse/ui/status/announced.tsx'
import { Spinner } from '@gatehouse/ui/status/spinner.tsx'
import type { ApprovalRequest } from '@gatehouse/wire/page-props'
import { useState } from 'react'
import type { Messages } from '../../messages/messages.ts'
import styles from './challenge-number.module.css'

type ChallengeNumberProps = Pick<ApprovalRequest, 'challengeNumber' | 'challengeExpires'> & {
  /** Whether the phone has not answered yet. */
  isOpen: boolean
  words: Pick<Messages['approveOnPhone'], 'enter' | 'number' | 'waiting' | 'left' | 'byHand'>
}

/** The longest lifetime of a challenge, in seconds. Limits the countdown if the browser's clock is wrong. */
const maxSeconds = 120

/**
 * The number to type on the phone. Screen readers read it digit by digit. In a right-to-left text, browsers would show the two groups of
 * digits in reverse order.
 */
export const ChallengeNumber = ({ challengeNumber, challengeExpires, isOpen, words }: ChallengeNumberProps) => {
  const hydrated = useHydrated()
  const [now, setNow] = useState(Date.now)
  useInterval(() => setNow(Date.now()), isOpen ? 1 : null)
  const left = Math.min(maxSeconds, Math.max(0, Math.ceil((Date.parse(challengeExpires) - now) / 1000)))
  return (
    <div className={styles.panel} data-part="number-panel">
      <p className={styles.enter} data-part="note" aria-hidden="true">
        {words.enter}
      </p>
      <p className={styles.number} data-part="number" aria-hidden="true" dir="ltr">
        {challengeNumber.replace(/^(\d{3})/, '$1 ')}
      </p>
      <Announced>{isOpen && words.number([...challengeNumber].join(' '))}</Announced>
      {/* Without a script, the page gets no updates and the countdown does not run. */}
      {isOpen && !hydrated && (
        <p className={styles.waiting} data-part="note">
          {words.byHand}
        </p>
      )}
      {isOpen && hydrated && (
        <p className={styles.waiting} data-part="note">
          <Spinner />
          <span>{words.waiting}</span>
          <span className={styles.left}>{words.left(`${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`)}</span>
        </p>
      )}
    </div>
  )
}
