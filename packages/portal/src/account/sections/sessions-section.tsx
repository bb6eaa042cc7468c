import { Tag } from '@gatehouse/ui/status/tag.tsx'
import type { OwnAccount } from '@gatehouse/wire'
import { ActWindow } from '../../actions/action-dialog.tsx'
import { ActForm } from '../../actions/action-form.tsx'
import { afterVoid, type SectionProps, useOwnAct } from '../../actions/use-action.ts'
import type { PortalApi } from '../../calls/portal-api.ts'
import { told } from '../../clock-time.ts'
import { englishAccount } from '../../messages/en-account.ts'
import { deviceOf, placeOf } from '../../origin.ts'
import { Act, Row, Rows, Section } from '../section.tsx'

type Listed = OwnAccount['sessions'][number]
type What = { is: 'One'; session: Listed } | { is: 'Others' }

export type SessionsProps = SectionProps & {
  sessions: Listed[]
  timeZone: string
  api: Pick<PortalApi, 'userSessionEnd' | 'userSessionEndOthers'>
}

const words = englishAccount.sessions

/** Where one is signed in. One's own session is ended by signing out, at the top of the page. */
export const SessionsSection = (props: SessionsProps) => {
  const { sessions, timeZone, username, api } = props
  const act = useOwnAct<What>(props)
  const { state } = act

  const end = (what: What) =>
    void act.start(async signal => {
      if (what.is === 'Others') return afterVoid(await api.userSessionEndOthers(signal), words.others.done)
      const reply = await api.userSessionEnd({ sessionId: what.session.sessionId }, signal)
      // It is over already, which is what was asked for.
      return !reply.ok && reply.failure.status === 404 ? { news: words.ended } : afterVoid(reply, words.ended)
    })

  return (
    <Section
      id="sessions"
      title={words.title}
      text={words.text}
      news={state.is === 'AtRest' ? state.news : undefined}
      act={sessions.length > 1 && <Act label={words.others.open} onClick={() => act.choose({ is: 'Others' })} />}
    >
      <Rows>
        {sessions.map(session => {
          const device = deviceOf(session.from)
          return (
            <Row
              key={session.sessionId}
              name={
                <>
                  {device} {session.own && <Tag>{words.own}</Tag>}
                </>
              }
              details={[
                placeOf(session.from),
                `${words.since(told(session.sessionCreated, timeZone))}, ${words.seen(told(session.sessionSeen, timeZone))}`,
              ]}
              acts={
                !session.own && (
                  <Act
                    label={words.end}
                    of={words.endOf(`${device}, ${session.from.address}`)}
                    onClick={() => act.choose({ is: 'One', session })}
                  />
                )
              }
            />
          )
        })}
      </Rows>
      <ActWindow act={act} username={username} title={what => (what.is === 'Others' ? words.others.title : words.one.title)}>
        {(what, { problem, isRunning }) => {
          const { text, submit, running } =
            what.is === 'Others'
              ? words.others
              : { ...words.one, text: words.one.text(deviceOf(what.session.from), placeOf(what.session.from)) }
          return (
            <ActForm
              text={text}
              submit={submit}
              running={isRunning ? running : undefined}
              problem={problem}
              onSubmit={() => end(what)}
              onEdit={act.edit}
              onCancel={act.close}
            />
          )
        }}
      </ActWindow>
    </Section>
  )
}
