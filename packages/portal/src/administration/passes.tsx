import { Button, LinkButton } from '@gatehouse/ui/buttons/button.tsx'
import { Text, Title } from '@gatehouse/ui/layout/statement.tsx'
import { Announced } from '@gatehouse/ui/status/announced.tsx'
import { type AdministeredPass, type PassesEndRequest, type PassList, passHolders } from '@gatehouse/wire'
import { useCallback } from 'react'
import { BackIcon } from '../back-icon.tsx'
import { Breakable } from '../breakable.tsx'
import { administrationTexts as words } from '../messages/current.ts'
import { limitsText } from '../passes/pass-form.ts'
import styles from './administration.module.css'
import { Choices } from './choices.tsx'
import own from './passes.module.css'
import { Reading } from './reading.tsx'
import { allPasses, type PassRoute } from './route.ts'
import { RouteLink } from './route-link.tsx'
import rowStyles from './rows.module.css'
import { Address, Cell, Moment, Rows } from './rows.tsx'
import { Search } from './search.tsx'
import type { SectionProps } from './section.ts'
import { useKept } from './use-kept.ts'
import { useRead } from './use-read.ts'
import { PageLink } from './users.tsx'

/** The passes of all users and services, or of one user or service. */
export const Passes = ({ route, api, changes, dates, isNavigated, actions, visit, base }: SectionProps & { route: PassRoute }) => {
  const page = words.passes
  const { columns } = page
  const { search, holders, userId, service, after } = route
  const read = useCallback(
    (signal: AbortSignal) => api.passes({ search: search || undefined, holders, userId, service, after }, signal),
    [api, search, holders, userId, service, after],
  )
  const [now, again] = useRead(read, changes)
  const { state, isOld } = useKept(now, `${holders} ${userId} ${service}`)
  const found = state.is === 'Loaded' ? state.value : undefined
  const isOfOne = userId !== undefined || service !== undefined
  const head = { found, isNavigated, actions }
  return (
    <>
      {isOfOne ? <OneHead {...head} route={route} /> : <AllHead {...head} route={route} />}
      <Announced>{found && !isOld ? page.found(found.counts[holders]) : undefined}</Announced>
      <Reading state={state} again={again} leave={() => visit(`${base}/`)}>
        {({ passes, after: next }) => (
          <div className={isOld ? styles.old : undefined} aria-busy={isOld}>
            {passes.length === 0 ? (
              <p className={styles.empty}>{search ? page.emptySearch(search) : page.empty}</p>
            ) : (
              <Rows
                name={page.list}
                columns={[columns.name, columns.owner, columns.scope, columns.used, columns.expires, { name: columns.end, isAct: true }]}
              >
                {passes.map(pass => (
                  <PassRow key={pass.passId} pass={pass} dates={dates} actions={actions} />
                ))}
              </Rows>
            )}
            <div className={styles.paging}>
              {after && <PageLink to={{ ...route, after: undefined }}>{page.first}</PageLink>}
              {next && <PageLink to={{ ...route, after: next }}>{page.next}</PageLink>}
            </div>
          </div>
        )}
      </Reading>
    </>
  )
}

type HeadProps = Pick<SectionProps, 'isNavigated' | 'actions'> & { route: PassRoute; found: PassList | undefined }

const AllHead = ({ route, found, isNavigated, actions }: HeadProps) => {
  const page = words.passes
  const { origins = [], services = 0, most = 0, counts } = found ?? {}
  const isFull = services >= most
  return (
    <>
      <div className={styles.titleRow}>
        <Title focused={isNavigated}>{page.title}</Title>
        {origins.length > 0 && !isFull && (
          <div className={styles.titleAct}>
            <Button look="primary" onClick={() => actions.choose({ kind: 'addPass', origins, most })}>
              {page.acts.addPass.button}
            </Button>
          </div>
        )}
      </div>
      <div className={styles.intro}>
        <Text>{page.text}</Text>
        {found && origins.length === 0 && <Text>{page.noRule}</Text>}
        {found && origins.length > 0 && isFull && <Text>{page.full(most)}</Text>}
      </div>
      <div className={own.tools}>
        <Search search={route.search} words={page} all={allPasses} to={text => ({ ...route, search: text, after: undefined })} />
        <Choices
          name={page.filtersLabel}
          all={passHolders}
          current={route.holders}
          labels={page.filters}
          counts={counts}
          to={one => ({ ...route, holders: one, after: undefined })}
        />
      </div>
    </>
  )
}

const OneHead = ({ route: { userId, service }, found, isNavigated, actions }: HeadProps) => {
  const page = words.passes
  const owner = service ?? found?.passes[0]?.user?.userIdent
  const request: PassesEndRequest = service === undefined ? { userId } : { service }
  return (
    <>
      <RouteLink to={allPasses} className={styles.pageLink}>
        <BackIcon /> {page.back}
      </RouteLink>
      <div className={styles.titleRow}>
        <Title focused={isNavigated}>{owner === undefined ? page.titleOfGone : page.titleOf(owner)}</Title>
        {owner !== undefined && found !== undefined && found.passes.length > 0 && (
          <div className={styles.titleAct}>
            <Button look="danger" onClick={() => actions.choose({ kind: 'endPasses', owner: request, ownerName: owner })}>
              {page.acts.endPasses.button}
            </Button>
          </div>
        )}
      </div>
      {userId !== undefined && (
        <p className={styles.note}>
          <RouteLink to={{ at: 'user', userId }} className={styles.pageLink}>
            {page.openUser}
          </RouteLink>
        </p>
      )}
    </>
  )
}

const PassRow = ({ pass, dates, actions }: { pass: AdministeredPass } & Pick<SectionProps, 'dates' | 'actions'>) => {
  const page = words.passes
  const { columns } = page
  const { user, service } = pass
  const owner = user?.userIdent ?? page.service(service ?? '')
  const to: PassRoute = user ? { ...allPasses, userId: user.userId } : { ...allPasses, service: service ?? '' }
  return (
    <tr className={rowStyles.row}>
      <Cell column={columns.name} lead>
        <bdi>{pass.name}</bdi>
      </Cell>
      <Cell column={columns.owner}>
        <span className={own.owner}>
          <RouteLink to={to} className={rowStyles.rowLink}>
            <bdi>
              <Breakable>{owner}</Breakable>
            </bdi>
          </RouteLink>
        </span>
      </Cell>
      <Cell column={columns.scope}>
        <span className={own.scope}>
          {pass.to.map(address => (
            <bdi key={address}>
              <Breakable>{address}</Breakable>
            </bdi>
          ))}
          <span className={own.detail}>{limitsText(pass)}</span>
        </span>
      </Cell>
      <Cell column={columns.used}>
        {pass.used ? (
          <span className={own.used}>
            <Moment>{dates.dateTime(pass.used)}</Moment>
            {pass.usedFrom && <Address wraps>{pass.usedFrom}</Address>}
          </span>
        ) : (
          words.never
        )}
      </Cell>
      <Cell column={columns.expires}>
        <Moment>{dates.dateTime(pass.expires)}</Moment>
      </Cell>
      <Cell column={columns.end} act>
        <LinkButton
          danger
          aria-label={page.endOf(pass.name, owner)}
          onClick={() => actions.choose({ kind: 'endPass', passId: pass.passId, name: pass.name })}
        >
          {columns.end}
        </LinkButton>
      </Cell>
    </tr>
  )
}
