import { useInterval } from '@gatehouse/ui/hooks/timers.ts'
import { useHydrated } from '@gatehouse/ui/hooks/use-hydrated.ts'
import { Announced } from '@gatehouse/ui/status/announced.tsx'
import { Spinner } from '@gatehouse/ui/status/spinner.tsx'
import type { ApprovalRequest } from '@gatehouse/wire/page-props'
import { useState } from 'react'
import type { Messages } from '../../messages/messages.ts'
import styles from './challenge-number.module.css'

type ChallengeNumberProps = Pick<ApprovalRequest, 'challengeNumber' | 'challengeExpires'> & {
  /** Whether the phone has yet to answer. */
  isOpen: boolean
  words: Pick<Messages['approveOnPhone'], 'enter' | 'number' | 'waiting' | 'left' | 'byHand'>
}

/** Longest that a challenge is open, in seconds; a clock that goes wrong shows no more. */
const longest = 120

/** The number that is typed on the phone: large to the eye, digit by digit to the ear. */
export const ChallengeNumber = ({ challengeNumber, challengeExpires, isOpen, words }: ChallengeNumberProps) => {
  const awake = useHydrated()
  const [now, setNow] = useState(Date.now)
  useInterval(() => setNow(Date.now()), isOpen ? 1 : null)
  const left = Math.min(longest, Math.max(0, Math.ceil((Date.parse(challengeExpires) - now) / 1000)))
  return (
    <div className={styles.panel}>
      <p className={styles.enter} aria-hidden="true">
        {words.enter}
      </p>
      <p className={styles.number} aria-hidden="true">
        {challengeNumber.replace(/^(\d{3})/, '$1 ')}
      </p>
      <Announced>{isOpen && `${words.enter} ${words.number([...challengeNumber].join(' '))}`}</Announced>
      {/* Without a script nothing is heard, and the time stands still. */}
      {isOpen && !awake && <p className={styles.waiting}>{words.byHand}</p>}
      {isOpen && awake && (
        <p className={styles.waiting}>
          <Spinner />
          <span>{words.waiting}</span>
          <span className={styles.left}>{words.left(Math.floor(left / 60), left % 60)}</span>
        </p>
      )}
    </div>
  )
}
