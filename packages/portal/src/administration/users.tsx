import { Button } from '@gatehouse/ui/buttons/button.tsx'
import { Field } from '@gatehouse/ui/fields/field.tsx'
import { Text, Title } from '@gatehouse/ui/layout/statement.tsx'
import type { ListedUser, UserFilter } from '@gatehouse/wire'
import { type FormEvent, useCallback, useContext } from 'react'
import styles from './administration.module.css'
import { Reading } from './reading.tsx'
import { addressOf, allUsers, factorFilters, type Route } from './route.ts'
import { NavigationContext, RouteLink } from './route-link.tsx'
import { Cell, Rows } from './rows.tsx'
import type { SectionProps } from './section.ts'
import { Tags } from './tags.tsx'
import { useRead } from './use-read.ts'
import { words } from './words.ts'

type ListRoute = Extract<Route, { filter: UserFilter }>

const { users } = words
const figureOf = {
  All: 'users',
  WithoutFactor: 'withoutFactor',
  Skipped: 'skipped',
  Locked: 'locked',
  ForcedReset: 'forcedReset',
} as const
const userChoices = ['All', 'WithoutFactor', 'Locked', 'ForcedReset', 'Administrators'] as const

/** The list of users, or of users whose second factor is missing. */
export const Users = ({ route, api, figures, changes, dates, isNavigated, actions, visit, base }: SectionProps & { route: ListRoute }) => {
  const { search, filter, after } = route
  const isFactors = route.at === 'second-factors'
  const read = useCallback(
    (signal: AbortSignal) => api.users({ search: search || undefined, filter, after }, signal),
    [api, search, filter, after],
  )
  const [state, again] = useRead(read, changes)
  return (
    <>
      <div className={styles.titleRow}>
        <Title focused={isNavigated}>{isFactors ? users.factorsTitle : users.title}</Title>
        {!isFactors && (
          <div className={styles.titleAct}>
            <Button onClick={() => actions.choose({ kind: 'add' })}>{users.add}</Button>
          </div>
        )}
      </div>
      {isFactors ? <Text>{users.factorsText}</Text> : <Search route={route} />}
      <nav className={styles.choices} aria-label={users.filtersLabel}>
        {(isFactors ? factorFilters : userChoices).map(one => (
          <RouteLink
            key={one}
            to={{ ...route, filter: one, after: undefined }}
            className={styles.choice}
            aria-current={one === filter ? 'true' : undefined}
          >
            {users.filters[one]}
            {figures && one !== 'Administrators' && (
              <span className={styles.choiceCount}> {figures[figureOf[one]].toLocaleString('en-GB')}</span>
            )}
          </RouteLink>
        ))}
      </nav>
      <Reading state={state} again={again} leave={() => visit(`${base}/`)}>
        {found => (
          <>
            {found.users.length === 0 ? (
              <p className={styles.empty}>{search ? users.emptySearch(search) : users.empty}</p>
            ) : (
              <Rows name={users.list} columns={Object.values(users.columns)}>
                {found.users.map(user => (
                  <UserRow key={user.userId} user={user} dates={dates} />
                ))}
              </Rows>
            )}
            <div className={styles.paging}>
              {after && <PageLink to={{ ...route, after: undefined }}>{users.first}</PageLink>}
              {found.after && <PageLink to={{ ...route, after: found.after }}>{users.next}</PageLink>}
            </div>
          </>
        )}
      </Reading>
    </>
  )
}

const PageLink = ({ to, children }: { to: Route; children: string }) => (
  <RouteLink to={to} className={styles.pageLink}>
    {children}
  </RouteLink>
)

const Search = ({ route }: { route: ListRoute }) => {
  const { base, go } = useContext(NavigationContext)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const search = String(new FormData(event.currentTarget).get('search') ?? '').trim()
    go({ ...route, search, after: undefined })
  }
  return (
    <div>
      <form className={styles.search} action={`${base}${addressOf(allUsers)}`} onSubmit={submit}>
        <div className={styles.searchField}>
          <Field label={users.search} name="search" type="search" defaultValue={route.search} autoComplete="off" spellCheck={false} />
        </div>
        <div className={styles.searchButton}>
          <Button type="submit">{users.searchButton}</Button>
        </div>
      </form>
      {route.search && (
        <RouteLink to={{ ...route, search: '', after: undefined }} className={styles.pageLink}>
          {users.clear}
        </RouteLink>
      )}
    </div>
  )
}

const UserRow = ({ user, dates }: { user: ListedUser; dates: SectionProps['dates'] }) => {
  const { columns } = users
  return (
    <tr className={styles.row}>
      <Cell column={columns.address} lead>
        <RouteLink to={{ at: 'user', userId: user.userId }} className={styles.rowLink}>
          {user.userIdent}
        </RouteLink>
        <Tags user={user} dates={dates} />
      </Cell>
      <Cell column={columns.lastSignIn} moment>
        {user.lastSignIn ? dates.dateTime(user.lastSignIn) : words.never}
      </Cell>
      <Cell column={columns.factor}>{factorOf(user)}</Cell>
      <Cell column={columns.ways}>{waysOf(user)}</Cell>
      <Cell column={columns.sessions}>{user.sessions}</Cell>
      <Cell column={columns.created} moment>
        {dates.date(user.userCreated)}
      </Cell>
    </tr>
  )
}

export const factorOf = ({ factors, skipCount, skipMost }: ListedUser): string => {
  if (factors > 0) return users.factorCount(factors)
  return skipCount > 0 ? users.skipped(skipCount, skipMost) : words.none
}

export const waysOf = ({ ways }: ListedUser): string => ways.map(way => words.board.wayNames[way]).join(', ') || words.none
