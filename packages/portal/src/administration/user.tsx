import { Button, LinkButton } from '@gatehouse/ui/buttons/button.tsx'
import { Title } from '@gatehouse/ui/layout/statement.tsx'
import type { UserDetail } from '@gatehouse/wire'
import { type ReactNode, useCallback, useId } from 'react'
import styles from './administration.module.css'
import { Reading } from './reading.tsx'
import { allUsers } from './route.ts'
import { RouteLink } from './route-link.tsx'
import { Cell, Rows } from './rows.tsx'
import type { SectionProps } from './section.ts'
import { Tags } from './tags.tsx'
import { useRead } from './use-read.ts'
import { factorOf, waysOf } from './users.tsx'
import { resultText, words } from './words.ts'

const page = words.user

/** Everything about one user, and the actions on them. */
export const User = (props: SectionProps & { userId: string }) => {
  const { userId, api, changes, visit, base } = props
  const read = useCallback((signal: AbortSignal) => api.user({ userId }, signal), [api, userId])
  const [state, again] = useRead(read, changes)
  return (
    <>
      <RouteLink to={allUsers} className={styles.pageLink}>
        {page.back}
      </RouteLink>
      <Reading state={state} again={again} leave={() => visit(`${base}/`)} gone={page.gone}>
        {detail => <Detail {...props} detail={detail} />}
      </Reading>
    </>
  )
}

type DetailProps = SectionProps & { detail: UserDetail }

const Detail = ({ detail, dates, isNavigated, username, actions }: DetailProps) => {
  const { user, factors, sessions } = detail
  const isOwn = user.userIdent === username
  const whom = { userId: user.userId, userIdent: user.userIdent }
  return (
    <>
      <Title focused={isNavigated}>{user.userIdent}</Title>
      <Tags user={user} dates={dates} />
      <dl className={styles.facts}>
        <Fact name={words.users.columns.lastSignIn}>{user.lastSignIn ? dates.dateTime(user.lastSignIn) : words.never}</Fact>
        <Fact name={words.users.columns.created}>{dates.dateTime(user.userCreated)}</Fact>
        <Fact name={words.users.columns.factor}>{factorOf(user)}</Fact>
        <Fact name={page.recoveryCodes}>{detail.recoveryCodes}</Fact>
        <Fact name={words.users.columns.ways}>{waysOf(user)}</Fact>
        <Fact name={page.zone}>{detail.userTZLabel}</Fact>
      </dl>

      <Part title={page.acts}>
        <div className={styles.acts}>
          {user.locks.length > 0 && <Button onClick={() => actions.choose({ kind: 'unlock', ...whom })}>{words.acts.unlock.button}</Button>}
          {sessions.length > 0 && (
            <Button onClick={() => actions.choose({ kind: 'endSessions', ...whom })}>{words.acts.endSessions.button}</Button>
          )}
          <Button onClick={() => actions.choose({ kind: 'forceReset', ...whom })}>{words.acts.forceReset.button}</Button>
          {!isOwn && <Button onClick={() => actions.choose({ kind: 'delete', ...whom })}>{words.acts.delete.button}</Button>}
        </div>
        {isOwn && <p className={styles.note}>{words.acts.delete.oneself}</p>}
      </Part>

      <Part title={page.factors}>
        {factors.length === 0 ? (
          <p className={styles.note}>{page.factorsNone}</p>
        ) : (
          <Rows name={page.factors} columns={Object.values(page.factor)}>
            {factors.map(factor => (
              <tr key={factor.factorUUID} className={styles.row}>
                <Cell column={page.factor.name} lead>
                  {factor.factorFriendlyName}
                </Cell>
                <Cell column={page.factor.type}>{page.factorTypes[factor.factorFactorType]}</Cell>
                <Cell column={page.factor.verified} moment>
                  {factor.factorDateVerified ? dates.dateTime(factor.factorDateVerified) : words.unknown}
                </Cell>
                <Cell column={page.factor.used} moment>
                  {factor.factorDateLastUsed ? dates.dateTime(factor.factorDateLastUsed) : words.never}
                </Cell>
                <Cell column={page.factor.remove}>
                  {!isOwn && (
                    <LinkButton
                      aria-label={`${page.factor.remove} ${factor.factorFriendlyName}`}
                      onClick={() => actions.choose({ kind: 'removeFactor', ...whom, factorUUID: factor.factorUUID })}
                    >
                      {page.factor.remove}
                    </LinkButton>
                  )}
                </Cell>
              </tr>
            ))}
          </Rows>
        )}
        {isOwn && factors.length > 0 && <p className={styles.note}>{words.acts.removeFactor.oneself}</p>}
      </Part>

      <Sessions sessions={sessions} dates={dates} />
      <Activity activity={detail.activity} dates={dates} />
    </>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className={styles.fact}>
    <dt className={styles.factName}>{name}</dt>
    <dd className={styles.factValue}>{children}</dd>
  </div>
)

const Part = ({ title, children }: { title: string; children: ReactNode }) => {
  const id = useId()
  return (
    <section className={styles.part} aria-labelledby={id}>
      <h2 className={styles.partTitle} id={id}>
        {title}
      </h2>
      {children}
    </section>
  )
}

const Sessions = ({ sessions, dates }: Pick<UserDetail, 'sessions'> & Pick<SectionProps, 'dates'>) => {
  const { browser, address, since, seen } = page.session
  return (
    <Part title={page.sessions}>
      {sessions.length === 0 ? (
        <p className={styles.note}>{page.sessionsNone}</p>
      ) : (
        <Rows name={page.sessions} columns={[browser, address, since, seen]}>
          {sessions.map(session => (
            <tr key={`${session.sessionCreated} ${session.sessionAddress} ${session.sessionUserAgent}`} className={styles.row}>
              <Cell column={browser} lead>
                {session.sessionUserAgent || words.unknown}
              </Cell>
              <Cell column={address}>{session.sessionAddress}</Cell>
              <Cell column={since} moment>
                {dates.dateTime(session.sessionCreated)}
              </Cell>
              <Cell column={seen} moment>
                {dates.dateTime(session.sessionSeen)}
              </Cell>
            </tr>
          ))}
        </Rows>
      )}
    </Part>
  )
}

const Activity = ({ activity, dates }: Pick<UserDetail, 'activity'> & Pick<SectionProps, 'dates'>) => {
  const { at, what, result, from, by } = page.activityColumns
  return (
    <Part title={page.activity}>
      {activity.length === 0 ? (
        <p className={styles.note}>{page.activityNone}</p>
      ) : (
        <Rows name={page.activity} columns={[at, what, result, from, by]}>
          {activity.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two rows may be the same, and none moves
            <tr key={index} className={styles.row}>
              <Cell column={at} lead moment>
                {dates.dateTime(row.auditAt)}
              </Cell>
              <Cell column={what}>{words.events[row.auditEvent] ?? row.auditEvent}</Cell>
              <Cell column={result}>{resultText(row.auditResult)}</Cell>
              <Cell column={from}>{row.auditAddress || words.none}</Cell>
              <Cell column={by}>{page.by[row.by]}</Cell>
            </tr>
          ))}
        </Rows>
      )}
    </Part>
  )
}
