import type { DateTimeFormat, UserDetail } from '@gatehouse/wire'
import { administrationTexts as words } from '../messages/current.ts'
import { deviceOf } from '../origin.ts'
import { Part } from './part.tsx'
import { type ActivityRow, countedSteps, groupSteps, isCompleted } from './sign-in-steps.ts'
import { inSentence, stepText } from './step-text.ts'
import styles from './user-activity.module.css'

/** Actions by the user and on the account, newest first. The steps of one sign-in are one entry that expands. */
export const UserActivity = ({ activity, dates }: Pick<UserDetail, 'activity'> & { dates: DateTimeFormat }) => (
  <Part title={words.user.activity}>
    {activity.length === 0 ? (
      <p className={styles.none}>{words.user.activityNone}</p>
    ) : (
      <ol className={styles.list}>
        {groupSteps(activity).map((item, index) => (
          <li key={item.is === 'SignIn' ? item.id : index} className={styles.item}>
            {item.is === 'SignIn' ? <SignIn rows={item.rows} dates={dates} /> : <Event row={item.row} dates={dates} />}
          </li>
        ))}
      </ol>
    )}
  </Part>
)

type EventProps = { row: ActivityRow; dates: DateTimeFormat; time?: 'dateTime' | 'timeSeconds'; isElsewhere?: boolean }

/** One row. A step names its browser only if it differs from that of the summary above (`isElsewhere`). */
const Event = ({ row, dates, time = 'dateTime', isElsewhere = true }: EventProps) => (
  <div className={styles.event}>
    <span className={styles.what}>{stepText(row)}</span>
    <time className={styles.when} dateTime={row.auditAt}>
      {dates[time](row.auditAt)}
    </time>
    {isElsewhere && <From row={row} />}
  </div>
)

const From = ({ row: { from, by } }: { row: ActivityRow }) => {
  const actor = by === 'Administrator' || by === 'CommandLine' ? words.user.by[by] : undefined
  if (!from && !actor) return null
  return (
    <span className={styles.from}>
      {actor && <span>{actor}</span>}
      {from && <span>{deviceOf(from)}</span>}
      {from && <bdi className={styles.address}>{from.address}</bdi>}
    </span>
  )
}

const originOf = ({ from, by }: ActivityRow) => `${by === 'Nobody' ? 'Self' : by} ${from && `${deviceOf(from)} ${from.address}`}`

/** A sign-in: its result and a summary, and each step when expanded. */
const SignIn = ({ rows, dates }: { rows: ActivityRow[]; dates: DateTimeFormat }) => {
  const [newest] = rows
  if (!newest) return null
  const completed = isCompleted(rows)
  // The last step of a completed sign-in is in the title.
  const steps = countedSteps(completed ? rows.filter(row => row.auditEvent !== 'session-started') : rows, stepText)
  const { completed: signedIn, stopped, repeated, next } = words.audit.signIn
  const summary = steps
    .map(({ text, times }, index) => ({ text: index === 0 ? text : inSentence(text), times }))
    .map(({ text, times }) => (times === 1 ? text : repeated(text, times)))
    .reduce((before, step) => (before === '' ? step : next(before, step)), '')
  return (
    <details className={styles.signIn}>
      <summary className={styles.summary}>
        <span className={styles.event}>
          <span className={styles.what}>{completed ? signedIn : stopped(inSentence(stepText(newest)))}</span>
          <span className={styles.when}>{dates.dateTime(newest.auditAt)}</span>
          <span className={styles.through}>{summary}</span>
          <From row={newest} />
        </span>
      </summary>
      <ol className={styles.steps}>
        {rows.toReversed().map((row, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows may be identical, and their order never changes
          <li key={index} className={styles.step}>
            <Event row={row} dates={dates} time="timeSeconds" isElsewhere={originOf(row) !== originOf(newest)} />
          </li>
        ))}
      </ol>
    </details>
  )
}
