import { LinkButton } from '@gatehouse/ui/buttons/button.tsx'
import { Tag } from '@gatehouse/ui/status/tag.tsx'
import { administrationTexts as words } from '../messages/current.ts'
import { deviceOf } from '../origin.ts'
import styles from './administration.module.css'
import { Part } from './part.tsx'
import rowStyles from './rows.module.css'
import { Cell, From, Moment, Rows } from './rows.tsx'
import type { UserPartProps } from './user-part.ts'

/** The sessions of a user, each of which an administrator can end. The header's 'Sign out' ends their own. */
export const UserSessions = ({ detail: { sessions }, dates, actions, whom }: UserPartProps) => {
  const page = words.user
  const { browser, since, seen, end } = page.session
  return (
    <Part title={page.sessions}>
      {sessions.length === 0 ? (
        <p className={styles.note}>{page.sessionsNone}</p>
      ) : (
        <Rows name={page.sessions} columns={[browser, since, seen, { name: end, isAct: true }]}>
          {sessions.map(({ sessionId, own, sessionCreated, sessionSeen, from }) => (
            <tr key={sessionId} className={rowStyles.row}>
              <Cell column={browser} lead>
                <From from={from}>{own && <Tag>{page.own}</Tag>}</From>
              </Cell>
              <Cell column={since}>
                <Moment>{dates.dateTime(sessionCreated)}</Moment>
              </Cell>
              <Cell column={seen}>
                <Moment>{dates.dateTime(sessionSeen)}</Moment>
              </Cell>
              <Cell column={end} act>
                {!own && (
                  <LinkButton
                    danger
                    aria-label={page.endOf(deviceOf(from), from.address)}
                    onClick={() => actions.choose({ kind: 'endSession', ...whom, sessionId })}
                  >
                    {end}
                  </LinkButton>
                )}
              </Cell>
            </tr>
          ))}
        </Rows>
      )}
    </Part>
  )
}
