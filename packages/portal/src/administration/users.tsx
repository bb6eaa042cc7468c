import { Button } from '@gatehouse/ui/buttons/button.tsx'
import { Text, Title } from '@gatehouse/ui/layout/statement.tsx'
import { Announced } from '@gatehouse/ui/status/announced.tsx'
import type { ListedUser, UserFilter, UserList, UserSort } from '@gatehouse/wire'
import { useCallback } from 'react'
import { Breakable } from '../breakable.tsx'
import { administrationTexts as words } from '../messages/current.ts'
import { listText } from '../messages/intl.ts'
import styles from './administration.module.css'
import { Choices } from './choices.tsx'
import { Reading } from './reading.tsx'
import { allUsers, factorFilters, type ListRoute, type Route } from './route.ts'
import { RouteLink } from './route-link.tsx'
import rowStyles from './rows.module.css'
import { Cell, type Column, Moment, Rows } from './rows.tsx'
import { Search } from './search.tsx'
import type { SectionProps } from './section.ts'
import { Tags } from './tags.tsx'
import { useKept } from './use-kept.ts'
import { useRead } from './use-read.ts'

const userChoices = ['All', 'WithoutFactor', 'Locked', 'ForcedReset', 'WithPasskey', 'Administrators'] as const

/** The list of users, or of users whose second factor is missing. */
export const Users = ({ route, api, changes, dates, isNavigated, actions, visit, base }: SectionProps & { route: ListRoute }) => {
  const { users } = words
  const { search, filter, sort, descending, after } = route
  const isFactors = route.at === 'second-factors'
  const read = useCallback(
    (signal: AbortSignal) => api.users({ search: search || undefined, filter, sort, descending, after }, signal),
    [api, search, filter, sort, descending, after],
  )
  const [now, again] = useRead(read, changes)
  const { state, isOld } = useKept(now, `${route.at} ${filter}`)
  const counts = state.is === 'Loaded' ? state.value.counts : undefined
  return (
    <>
      <div className={styles.titleRow}>
        <Title focused={isNavigated}>{isFactors ? users.factorsTitle : users.title}</Title>
        {!isFactors && (
          <div className={styles.titleAct}>
            <Button look="primary" onClick={() => actions.choose({ kind: 'add' })}>
              {users.add}
            </Button>
          </div>
        )}
      </div>
      {isFactors ? (
        <Text>{users.factorsText}</Text>
      ) : (
        <Search search={search} words={users} all={allUsers} to={text => ({ ...route, search: text, after: undefined })} />
      )}
      <Filters route={route} counts={counts} />
      <Announced>{counts && !isOld ? users.found(counts[filter]) : undefined}</Announced>
      <Reading state={state} again={again} leave={() => visit(`${base}/`)}>
        {found => (
          <div className={isOld ? styles.old : undefined} aria-busy={isOld}>
            {found.users.length === 0 ? (
              <p className={styles.empty}>{search ? users.emptySearch(search) : users.empty}</p>
            ) : (
              <Rows name={users.list} columns={columnsOf(route)}>
                {found.users.map(user => (
                  <UserRow key={user.userId} user={user} dates={dates} />
                ))}
              </Rows>
            )}
            <div className={styles.paging}>
              {after && <PageLink to={{ ...route, after: undefined }}>{users.first}</PageLink>}
              {found.after && <PageLink to={{ ...route, after: found.after }}>{users.next}</PageLink>}
            </div>
          </div>
        )}
      </Reading>
    </>
  )
}

/** Links to the filters, each with the number of users it lists for the current search. */
const Filters = ({ route, counts }: { route: ListRoute; counts: UserList['counts'] | undefined }) => {
  const { users } = words
  const choices: readonly UserFilter[] = route.at === 'second-factors' ? factorFilters : userChoices
  return (
    <Choices
      name={users.filtersLabel}
      all={choices}
      current={route.filter}
      labels={users.filters}
      counts={counts}
      to={one => ({ ...route, filter: one, after: undefined })}
    />
  )
}

/** The first click on a column header sorts addresses from A to Z, and dates from newest to oldest. */
const startsDescending: Record<UserSort, boolean> = { Address: false, LastSignIn: true, Added: true }

const columnsOf = (route: ListRoute): Column[] => {
  const { columns } = words.users
  const sorted = (name: string, sort: UserSort): Column => {
    const isNow = route.sort === sort
    const now = !isNow ? undefined : route.descending ? 'descending' : 'ascending'
    const descending = isNow ? !route.descending : startsDescending[sort]
    return { name, sort: { now, to: { ...route, sort, descending, after: undefined } } }
  }
  return [
    sorted(columns.address, 'Address'),
    sorted(columns.lastSignIn, 'LastSignIn'),
    { name: columns.factor },
    { name: columns.ways },
    { name: columns.sessions },
    sorted(columns.created, 'Added'),
  ]
}

export const PageLink = ({ to, children }: { to: Route; children: string }) => (
  <RouteLink to={to} className={styles.pageLink}>
    {children}
  </RouteLink>
)

const UserRow = ({ user, dates }: { user: ListedUser; dates: SectionProps['dates'] }) => (
  <tr className={rowStyles.row}>
    <Cell column={words.users.columns.address} lead>
      <RouteLink to={{ at: 'user', userId: user.userId }} className={rowStyles.rowLink}>
        <bdi>
          <Breakable>{user.userIdent}</Breakable>
        </bdi>
      </RouteLink>
      <Tags user={user} dates={dates} />
    </Cell>
    <Cell column={words.users.columns.lastSignIn}>
      {user.lastSignIn ? <Moment>{dates.dateTime(user.lastSignIn)}</Moment> : words.never}
    </Cell>
    <Cell column={words.users.columns.factor}>{factorOf(user)}</Cell>
    <Cell column={words.users.columns.ways}>{waysOf(user)}</Cell>
    <Cell column={words.users.columns.sessions}>{user.sessions}</Cell>
    <Cell column={words.users.columns.created}>
      <Moment>{dates.date(user.userCreated)}</Moment>
    </Cell>
  </tr>
)

export const factorOf = ({ factors, skipCount, skipMost }: ListedUser): string => {
  if (factors > 0) return words.users.factorCount(factors)
  return skipCount > 0 ? words.users.skipped(skipCount, skipMost) : words.none.factor
}

export const waysOf = ({ ways }: ListedUser): string => listText(ways.map(way => words.board.wayNames[way])) || words.none.ways
