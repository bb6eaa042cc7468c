import { Tag } from '@gatehouse/ui/status/tag.tsx'
import type { DateTimeFormat, ListedUser } from '@gatehouse/wire'
import { administrationTexts as words } from '../messages/current.ts'
import { unbroken } from '../messages/intl.ts'
import styles from './administration.module.css'

/** Tags for a user's role, locks and required password reset. */
export const Tags = ({ user, dates }: { user: ListedUser; dates: DateTimeFormat }) => {
  const locks = user.locks.map(({ of, until }) => (until ? words.locks[of].until(unbroken(dates.dateTime(until))) : words.locks[of].open))
  if (!user.administrator && !user.userForcedReset && locks.length === 0) return null
  return (
    <span className={styles.tags}>
      {user.administrator && <Tag>{words.tags.administrator}</Tag>}
      {user.userForcedReset && <Tag tone="amber">{words.tags.forcedReset}</Tag>}
      {locks.map(lock => (
        <span key={lock} className={styles.lock}>
          {lock}
        </span>
      ))}
    </span>
  )
}
