import { Button } from '@gatehouse/ui/buttons/button.tsx'
import { Title } from '@gatehouse/ui/layout/statement.tsx'
import { Tag } from '@gatehouse/ui/status/tag.tsx'
import type { UserDetail } from '@gatehouse/wire'
import { type ReactNode, useCallback } from 'react'
import { BackIcon } from '../back-icon.tsx'
import { administrationTexts as words } from '../messages/current.ts'
import { valuesText } from '../messages/intl.ts'
import shared from './administration.module.css'
import { Part } from './part.tsx'
import { Reading } from './reading.tsx'
import { allPasses, allUsers } from './route.ts'
import { RouteLink } from './route-link.tsx'
import type { SectionProps } from './section.ts'
import { useRead } from './use-read.ts'
import styles from './user.module.css'
import { UserActivity } from './user-activity.tsx'
import { UserFactors } from './user-factors.tsx'
import { UserSessions } from './user-sessions.tsx'
import { factorOf, waysOf } from './users.tsx'
import { VerdictPanel } from './verdict-panel.tsx'

/** Everything about one user, and the actions on them. */
export const User = (props: SectionProps & { userId: string }) => {
  const page = words.user
  const { userId, api, changes, visit, base } = props
  const read = useCallback((signal: AbortSignal) => api.user({ userId }, signal), [api, userId])
  const [state, again] = useRead(read, changes)
  return (
    <>
      <RouteLink to={allUsers} className={shared.pageLink}>
        <BackIcon /> {page.back}
      </RouteLink>
      {state.is !== 'Loaded' && <Title>{page.title}</Title>}
      <Reading state={state} again={again} leave={() => visit(`${base}/`)} gone={page.gone}>
        {detail => <Detail {...props} detail={detail} />}
      </Reading>
    </>
  )
}

const Detail = ({ detail, dates, isNavigated, username, actions }: SectionProps & { detail: UserDetail }) => {
  const page = words.user
  const { user, sessions } = detail
  const isOwn = user.userIdent === username
  const whom = { userId: user.userId, userIdent: user.userIdent }
  const part = { detail, dates, actions, whom, isOwn }
  return (
    <>
      <div className={styles.userHead}>
        <Title focused={isNavigated}>{user.userIdent}</Title>
        {user.administrator && <Tag>{words.tags.administrator}</Tag>}
      </div>
      <VerdictPanel {...part} />
      <dl className={styles.facts}>
        <Fact name={words.users.columns.lastSignIn}>{user.lastSignIn ? dates.dateTime(user.lastSignIn) : words.never}</Fact>
        <Fact name={words.users.columns.created}>{dates.dateTime(user.userCreated)}</Fact>
        <Fact name={words.users.columns.factor}>{factorOf(user)}</Fact>
        <Fact name={page.recoveryCodes}>{detail.recoveryCodes}</Fact>
        {detail.passes ? (
          <Fact name={page.passes}>
            <RouteLink to={{ ...allPasses, userId: user.userId }} className={shared.pageLink}>
              {String(detail.passes)}
            </RouteLink>
          </Fact>
        ) : null}
        <Fact name={words.users.columns.ways}>{waysOf(user)}</Fact>
        <Fact name={page.zone}>
          <bdi>{detail.userTZLabel}</bdi>
        </Fact>
        <Fact name={page.groups}>{valuesText(detail.groups) || page.groupsNone}</Fact>
        {detail.groupsElsewhere.length > 0 && <Fact name={page.groupsElsewhere}>{valuesText(detail.groupsElsewhere)}</Fact>}
      </dl>

      <UserSessions {...part} />
      <UserFactors {...part} />
      <UserActivity activity={detail.activity} dates={dates} />

      <Part title={page.acts}>
        <div className={styles.acts}>
          <Button onClick={() => actions.choose({ kind: 'setGroups', groups: detail.groups, ...whom })}>
            {words.acts.setGroups.button}
          </Button>
          <Button onClick={() => actions.choose({ kind: 'forceReset', ...whom })}>{words.acts.forceReset.button}</Button>
          {sessions.length > 0 && (
            <Button look="danger" onClick={() => actions.choose({ kind: 'endSessions', ...whom })}>
              {words.acts.endSessions.button}
            </Button>
          )}
          {!isOwn && (
            <Button look="danger" onClick={() => actions.choose({ kind: 'delete', ...whom })}>
              {words.acts.delete.button}
            </Button>
          )}
        </div>
        {isOwn && <p className={shared.note}>{words.acts.delete.oneself}</p>}
      </Part>
    </>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className={styles.fact}>
    <dt className={styles.factName}>{name}</dt>
    <dd className={styles.factValue}>{children}</dd>
  </div>
)
