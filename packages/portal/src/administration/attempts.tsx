import { Title } from '@gatehouse/ui/layout/statement.tsx'
import type { SignInOutcome, SignInWay } from '@gatehouse/wire'
import { useCallback } from 'react'
import { BackIcon } from '../back-icon.tsx'
import { Breakable } from '../breakable.tsx'
import { administrationTexts as words } from '../messages/current.ts'
import styles from './administration.module.css'
import { lookName } from './board-figures.ts'
import { isWay, type Shown, stepsOf } from './look.ts'
import { Reading } from './reading.tsx'
import type { Route } from './route.ts'
import { RouteLink } from './route-link.tsx'
import rowStyles from './rows.module.css'
import { Cell, From, Moment, Rows } from './rows.tsx'
import type { SectionProps } from './section.ts'
import { useRead } from './use-read.ts'
import { PageLink } from './users.tsx'

type AttemptsRoute = Extract<Route, { at: 'attempts' }>

/** The steps of sign-ins behind a bar or a tile of the board. */
export const Attempts = ({ route, api, dates, zone, isNavigated, visit, base }: SectionProps & { route: AttemptsRoute }) => {
  const page = words.attempts
  const { columns } = page
  const { look, from, until, after } = route
  const read = useCallback(
    (signal: AbortSignal) => {
      const { ways, outcomes } = stepsOf(look)
      return api.attempts({ from, until, ways: [...ways], outcomes: [...outcomes], after }, signal)
    },
    [api, look, from, until, after],
  )
  const [state, again] = useRead(read)
  // The list shows what the heading does not name: the method or the result. For all failures, it shows both.
  const step = isWay(look) || look === 'Failed' ? columns.result : columns.method
  return (
    <>
      <RouteLink to={{ at: 'board', range: rangeOf(route) }} className={styles.pageLink}>
        <BackIcon /> {page.back}
      </RouteLink>
      <Title focused={isNavigated}>{lookName(look)}</Title>
      <p className={styles.note}>{page.text(dates.dateTime(from), dates.dateTime(until), zone)}</p>
      <Reading state={state} again={again} leave={() => visit(`${base}/`)}>
        {found =>
          found.attempts.length === 0 ? (
            <p className={styles.empty}>{page.empty}</p>
          ) : (
            <>
              <Rows name={page.list} columns={[columns.at, columns.user, step, columns.from]}>
                {found.attempts.map((row, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: two rows may be the same, and none moves
                  <tr key={index} className={rowStyles.row}>
                    <Cell column={columns.at}>
                      <Moment>{dates.dateTimeSeconds(row.auditAt)}</Moment>
                    </Cell>
                    <Cell column={columns.user} lead>
                      {row.user ? (
                        <RouteLink to={{ at: 'user', userId: row.user.userId }} className={rowStyles.rowLink}>
                          <bdi>
                            <Breakable>{row.user.userIdent}</Breakable>
                          </bdi>
                        </RouteLink>
                      ) : (
                        <span className={rowStyles.quiet}>{page.unknownUser}</span>
                      )}
                    </Cell>
                    <Cell column={step}>
                      <Step look={look} {...row} />
                    </Cell>
                    <Cell column={columns.from}>{row.from ? <From from={row.from} /> : words.unknown}</Cell>
                  </tr>
                ))}
              </Rows>
              <div className={styles.paging}>
                {after && <PageLink to={{ ...route, after: undefined }}>{words.users.first}</PageLink>}
                {found.after && <PageLink to={{ ...route, after: found.after }}>{words.users.next}</PageLink>}
              </div>
            </>
          )
        }
      </Reading>
    </>
  )
}

const Step = ({ look, way, outcome }: { look: Shown; way: SignInWay; outcome: SignInOutcome }) => {
  const { wayNames, outcomeNames } = words.board
  if (isWay(look)) return outcomeNames[outcome]
  if (look !== 'Failed') return wayNames[way]
  return (
    <span className={rowStyles.from}>
      <span>{outcomeNames[outcome]}</span>
      <span className={rowStyles.detail}>{wayNames[way]}</span>
    </span>
  )
}

/** The shortest period of the board that contains the time. */
const rangeOf = ({ from }: AttemptsRoute) => {
  const age = (Date.now() - Date.parse(from)) / 86_400_000
  if (age <= 1) return 'Day'
  if (age <= 7) return 'Week'
  return age <= 30 ? 'Month' : 'Quarter'
}
