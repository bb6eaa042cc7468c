import { useInterval } from '@gatehouse/ui/hooks/timers.ts'
import { dateTimeFormat } from '@gatehouse/wire'
import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react'
import { accountTexts, language } from '../messages/current.ts'
import { relativeTime } from './relative-time.ts'
import styles from './time-ago.module.css'

/** How often relative times are brought up to date, in seconds. */
const tick = 30

const Clock = createContext(0)

/** Provides the server's time to the relative times inside, so that a wrong clock on this computer does no harm. `start` is ISO 8601. */
export const ServerClock = ({ start, children }: { start: string; children: ReactNode }) => {
  const [now, setNow] = useState(() => Date.parse(start))
  const startedHere = useRef(0)
  useEffect(() => {
    startedHere.current = Date.now()
  }, [])
  useInterval(() => setNow(Date.parse(start) + Date.now() - startedHere.current), tick)
  return <Clock value={now}>{children}</Clock>
}

/** `2 minutes ago`. The exact time is shown on hover, and is part of what screen readers read. */
export const TimeAgo = ({ at, zone }: { at: string; zone: string }) => {
  const now = useContext(Clock)
  const exact = dateTimeFormat(zone, language).dateTime(at)
  // The browser's Intl may format some languages differently from the server's. Both are correct,
  // so keep the server's text.
  return (
    <time dateTime={at} title={exact} suppressHydrationWarning>
      {relativeTime(at, now) ?? accountTexts.justNow}
      <span className={styles.exact} suppressHydrationWarning>
        {' '}
        ({exact})
      </span>
    </time>
  )
}
