import { Tag } from '@gatehouse/ui/status/tag.tsx'
import type { OwnAccount } from '@gatehouse/wire'
import { outcomeOf, useActions } from '../../actions/use-actions.ts'
import type { PortalApi } from '../../calls/portal-api.ts'
import { accountTexts } from '../../messages/current.ts'
import { withElements } from '../../messages/with-elements.tsx'
import { deviceOf, placeOf } from '../../origin.ts'
import { ActionButton, Row, Rows, Section } from '../section.tsx'
import type { SectionProps } from '../section-props.ts'
import { TimeAgo } from '../time-ago.tsx'
import { type OneOrOthers, OneOrOthersDialog } from './one-or-others-dialog.tsx'

type Listed = OwnAccount['sessions'][number]
type SessionAction = OneOrOthers<{ session: Listed }>

export type SessionsProps = SectionProps & {
  sessions: Listed[]
  timeZone: string
  api: Pick<PortalApi, 'userSessionEnd' | 'userSessionEndOthers'>
}

const words = () => accountTexts.sessions

/** The user's sessions. The sign-out button at the top of the page ends the current one. */
export const SessionsSection = (props: SessionsProps) => {
  const { sessions, timeZone, username, api } = props
  const actions = useActions<SessionAction>(props)

  const end = (action: SessionAction) =>
    void actions.start(async signal => {
      if (action.is === 'Others') return outcomeOf(await api.userSessionEndOthers(signal), words().others.done)
      const reply = await api.userSessionEnd({ sessionId: action.session.sessionId }, signal)
      // 404: the session has already ended.
      return !reply.ok && reply.failure.status === 404 ? { message: words().ended } : outcomeOf(reply, words().ended)
    })

  return (
    <Section
      id="sessions"
      title={words().title}
      text={words().text}
      message={actions.message}
      actions={sessions.length > 1 && <ActionButton danger label={words().others.open} onClick={() => actions.choose({ is: 'Others' })} />}
    >
      <Rows>
        {sessions.map(session => {
          const device = deviceOf(session.from)
          return (
            <Row
              key={session.sessionId}
              name={
                <>
                  {device} {session.own && <Tag>{words().own}</Tag>}
                </>
              }
              details={[
                <bdi key="place">{placeOf(session.from)}</bdi>,
                withElements(
                  words().times,
                  <TimeAgo at={session.sessionCreated} zone={timeZone} />,
                  <TimeAgo at={session.sessionSeen} zone={timeZone} />,
                ),
              ]}
              actions={
                !session.own && (
                  <ActionButton
                    danger
                    label={words().end}
                    of={words().endOf(device, session.from.address)}
                    onClick={() => actions.choose({ is: 'One', session })}
                  />
                )
              }
            />
          )
        })}
      </Rows>
      <OneOrOthersDialog
        actions={actions}
        username={username}
        words={words()}
        textOfOne={({ session }) => words().one.text(deviceOf(session.from), placeOf(session.from))}
        run={end}
      />
    </Section>
  )
}
