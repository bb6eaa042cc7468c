import { LinkButton } from '@gatehouse/ui/buttons/button.tsx'
import { useFocusReturn } from '@gatehouse/ui/hooks/use-focus-return.ts'
import { useSingleCall } from '@gatehouse/ui/hooks/use-single-call.ts'
import { Announced } from '@gatehouse/ui/status/announced.tsx'
import { ErrorPanel } from '@gatehouse/ui/status/error-panel.tsx'
import type { Activity } from '@gatehouse/wire'
import { dateTimeFormat } from '@gatehouse/wire'
import { useEffect, useReducer, useRef } from 'react'
import type { PortalApi } from '../../calls/portal-api.ts'
import { failureMessage } from '../../failure-message.ts'
import { accountTexts, language, signInTexts } from '../../messages/current.ts'
import { deviceOf, placeOf } from '../../origin.ts'
import { entriesOf } from '../activity-entries.ts'
import { activity, shown } from '../activity-state.ts'
import styles from '../section.module.css'
import { Row, Rows, Section } from '../section.tsx'
import { TimeAgo } from '../time-ago.tsx'

export type ActivityProps = {
  /** The newest page of the activity. If it changes, it replaces all rows. */
  newest: Activity
  timeZone: string
  api: Pick<PortalApi, 'userActivity'>
  leave: () => void
}

const words = () => accountTexts.activity

/** The account's recent activity, one page at a time. */
export const ActivitySection = ({ newest, timeZone, api, leave }: ActivityProps) => {
  const [state, dispatch] = useReducer(activity, newest, shown)
  const call = useSingleCall(dispatch)
  const button = useRef<HTMLButtonElement>(null)
  const end = useRef<HTMLDivElement>(null)
  const isLoading = state.is === 'Loading'

  useEffect(() => dispatch({ type: 'renewed', newest }), [newest])
  useFocusReturn(isLoading, () => (button.current ?? end.current)?.focus())

  const load = async (more: string) => {
    if (call.isRunning()) return
    const signal = call.begin()
    dispatch({ type: 'asked' })
    const reply = await api.userActivity({ more }, signal)
    if (signal.aborted) return
    call.end()
    if (reply.ok) return dispatch({ type: 'told', page: reply.value })
    if (reply.failure.status === 401) return leave()
    dispatch({ type: 'failed', message: failureMessage(reply.failure) })
  }

  const { rows, more } = state
  const entries = entriesOf(rows)
  const { dateTime } = dateTimeFormat(timeZone, language)
  return (
    <Section id="activity" title={words().title} text={words().text}>
      <Rows>
        {rows.length === 0 && <Row name={words().none} />}
        {entries.map(({ kind, at, from, count, first }, i) => (
          <Row
            // biome-ignore lint/suspicious/noArrayIndexKey: rows are only ever added at the end
            key={i}
            name={count > 1 ? words().administered(count) : words().kinds[kind]}
            details={from ? [accountTexts.deviceAt(deviceOf(from), placeOf(from))] : []}
            more={[count > 1 ? words().period(dateTime(first), dateTime(at)) : <TimeAgo key="at" at={at} zone={timeZone} />]}
          />
        ))}
      </Rows>
      <div className={styles.foot} ref={end} tabIndex={-1}>
        <ErrorPanel title={signInTexts.unexpected.title} message={state.is === 'ShownWithError' ? state.message : undefined} />
        {more != null && (
          <LinkButton ref={button} disabled={isLoading} onClick={() => void load(more)}>
            {isLoading ? words().loading : words().more}
          </LinkButton>
        )}
        <Announced>{isLoading ? words().loading : state.is === 'Shown' && state.grown && words().shown(rows.length)}</Announced>
      </div>
    </Section>
  )
}
