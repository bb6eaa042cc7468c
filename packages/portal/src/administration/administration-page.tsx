import { Button, TextLink } from '@gatehouse/ui/buttons/button.tsx'
import { Title } from '@gatehouse/ui/layout/statement.tsx'
import { Surface } from '@gatehouse/ui/layout/surface.tsx'
import { Banner } from '@gatehouse/ui/status/banner.tsx'
import { ErrorPanel } from '@gatehouse/ui/status/error-panel.tsx'
import { Notice } from '@gatehouse/ui/status/notice.tsx'
import { type AdministrationOverview, type DateTimeFormat, dateTimeFormat } from '@gatehouse/wire'
import type { AdministrationProps } from '@gatehouse/wire/page-props'
import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react'
import { useActions } from '../actions/use-actions.ts'
import { BrandLogo } from '../brand-logo.tsx'
import { failureMessage } from '../failure-message.ts'
import type { AdministrationMessages } from '../messages/administration-messages.ts'
import { language, administrationTexts as words } from '../messages/current.ts'
import type { PasskeyAccess } from '../passkeys/passkey-access.ts'
import { useMarkedInView } from '../use-marked-in-view.ts'
import styles from './administration.module.css'
import type { AdministrationApi } from './administration-api.ts'
import { Attempts } from './attempts.tsx'
import { Board } from './board.tsx'
import { Mails } from './mails.tsx'
import { Passes } from './passes.tsx'
import { Waiting } from './reading.tsx'
import { addressOf, allPasses, allUsers, type Route, withoutFactor } from './route.ts'
import { NavigationContext, RouteLink } from './route-link.tsx'
import type { SectionProps } from './section.ts'
import { useRead } from './use-read.ts'
import { User } from './user.tsx'
import type { AdministratorAction } from './user-action.ts'
import { UserActionDialog } from './user-action-dialog.tsx'
import { Users } from './users.tsx'

export const isAdministrationProps = (props: unknown): props is AdministrationProps =>
  typeof props === 'object' &&
  props !== null &&
  'username' in props &&
  typeof props.username === 'string' &&
  'zone' in props &&
  typeof props.zone === 'string' &&
  'hasPasskey' in props &&
  typeof props.hasPasskey === 'boolean' &&
  'base' in props &&
  typeof props.base === 'string'

/** The address bar. */
type Addresses = {
  read: () => Route
  /** Adds an entry to the history. */
  push: (address: string) => void
  /** Changes the current entry. */
  replace: (address: string) => void
  listen: (listener: () => void) => () => void
}

export type AdministrationPageProps = AdministrationProps & {
  api: AdministrationApi
  /** The browser's passkeys. Absent while the server renders. */
  passkeys?: PasskeyAccess | undefined
  addresses: Addresses
  visit: (location: string) => void
}

const sections = [
  { at: 'board', to: { at: 'board', range: 'Day' } },
  { at: 'users', to: allUsers },
  { at: 'second-factors', to: withoutFactor },
  { at: 'passes', to: allPasses },
  { at: 'mails', to: { at: 'mails' } },
] as const satisfies { at: keyof AdministrationMessages['sections']; to: Route }[]

export const AdministrationPage = ({ username, zone, base, hasPasskey, api, passkeys, addresses, visit }: AdministrationPageProps) => {
  // The server renders only the frame, because it does not know the whole address.
  const [route, setRoute] = useState<Route>()
  // Whether the administrator followed a link on this page, so that a screen reader reads the heading.
  const [isNavigated, setIsNavigated] = useState(false)
  const [changes, setChanges] = useState(0)
  const dates = useMemo(() => dateTimeFormat(zone, language), [zone])

  const move = useCallback(
    (to: Route) => {
      addresses.push(base + addressOf(to))
      setIsNavigated(true)
      setRoute(to)
    },
    [addresses, base],
  )
  const actions = useActions<AdministratorAction>({
    api,
    // The server does not say whether the administrator has a password. Without one, the dialog
    // offers a sign-out.
    hasPassword: true,
    hasPasskey,
    passkeys,
    refresh: done => {
      setChanges(before => before + 1)
      // In the same render, so that the page does not load the deleted user again.
      if (done.kind === 'delete') move(allUsers)
    },
    leave: () => visit(`${base}/`),
    staysOpen: true,
  })
  const { dismiss } = actions
  useEffect(() => {
    setRoute(addresses.read())
    return addresses.listen(() => {
      setIsNavigated(true)
      dismiss()
      setRoute(addresses.read())
    })
  }, [addresses, dismiss])

  const way = useMemo(() => {
    const go = (to: Route) => {
      dismiss()
      move(to)
    }
    const replace = (to: Route) => {
      addresses.replace(base + addressOf(to))
      setRoute(to)
    }
    return { base, go, replace }
  }, [addresses, base, dismiss, move])

  const [overview] = useRead(api.overview, `${route?.at} ${changes}`)
  const figures = overview.is === 'Loaded' ? overview.value : undefined

  const [leaving, setLeaving] = useState<{ is: 'Here' | 'SigningOut' } | { is: 'Failed'; message: string }>({ is: 'Here' })
  const signOut = async () => {
    setLeaving({ is: 'SigningOut' })
    const reply = await api.logoutBySelf()
    // 401: the session has already ended.
    if (reply.ok || reply.failure.status === 401) return visit(`${base}/`)
    setLeaving({ is: 'Failed', message: failureMessage(reply.failure) })
  }

  const mailBanner = (
    <MailBanner isHere={route?.at === 'mails'} tried={figures?.mailsTriedInVain ?? 0} refused={figures?.mailsRefused ?? 0} />
  )
  const section = sectionOf(route)
  const tabs = useMarkedInView(section)

  return (
    <Surface>
      <NavigationContext value={way}>
        <div className={styles.page}>
          <header className={styles.head}>
            <div className={styles.logo}>
              <BrandLogo />
            </div>
            <div className={styles.who}>
              <bdi className={styles.name}>{username}</bdi>
              <TextLink href={`${base}/account`}>{words.account}</TextLink>
            </div>
            <div className={styles.signOut}>
              <Button progress={leaving.is === 'SigningOut' ? 'running' : undefined} onClick={() => void signOut()}>
                {leaving.is === 'SigningOut' ? words.signingOut : words.signOut}
              </Button>
            </div>
          </header>
          <nav className={styles.sections} aria-label={words.navigation} ref={tabs} data-fading>
            {sections.map(({ at, to }) => (
              <RouteLink key={at} to={to} className={styles.section} aria-current={section === at ? 'page' : undefined}>
                {words.sections[at]}
              </RouteLink>
            ))}
          </nav>
          <DoorBanner doors={figures?.doors ?? []} dates={dates} />
          <OutageBanner ended={figures?.outageEnded} checks={figures?.outageChecks ?? 0} dates={dates} />
          {route?.at !== 'mails' && mailBanner}
          <ErrorPanel title={words.signOutFailed} message={leaving.is === 'Failed' ? leaving.message : undefined} />
          <Notice title={words.done} message={actions.message} />
          <div className={styles.content} key={route && keyOf(route)}>
            {route ? (
              <Section
                route={route}
                mailBanner={mailBanner}
                isNavigated={isNavigated}
                {...{ api, username, zone, dates, actions, changes, visit, base }}
              />
            ) : (
              <>
                <Title>{words.title}</Title>
                <Waiting />
              </>
            )}
          </div>
        </div>
        <UserActionDialog actions={actions} api={api} username={username} zone={zone} signOut={() => void signOut()} />
      </NavigationContext>
    </Surface>
  )
}

const sectionOf = (route: Route | undefined) => {
  if (route?.at === 'user') return 'users'
  return route?.at === 'attempts' ? 'board' : route?.at
}

/** A new key mounts a new section, which focuses its heading. Filters, order and search keep the key, so the focus stays where it is. */
const keyOf = (route: Route): string => {
  switch (route.at) {
    case 'user':
      return `user ${route.userId}`
    case 'attempts':
      return addressOf(route)
    case 'passes':
      return `passes ${route.userId} ${route.service}`
    default:
      return route.at
  }
}

const Section = ({ route, mailBanner, ...props }: SectionProps & { route: Route; mailBanner: ReactNode }) => {
  switch (route.at) {
    case 'board':
      return <Board {...props} range={route.range} />
    case 'attempts':
      return <Attempts {...props} route={route} />
    case 'users':
    case 'second-factors':
      return <Users {...props} route={route} />
    case 'user':
      return <User {...props} userId={route.userId} />
    case 'passes':
      return <Passes {...props} route={route} />
    case 'mails':
      return <Mails {...props} banner={mailBanner} />
  }
}

/** How many applications the banner lists; the worst come first. */
const doorsMost = 5

/** Says in every section what the open-door alarm has found, and what to do. */
const DoorBanner = ({ doors, dates }: { doors: NonNullable<AdministrationOverview['doors']>; dates: DateTimeFormat }) => {
  const { title, request, unanswered, more, states } = words.doorBanner
  return (
    <Banner>
      {doors.length > 0 && (
        <>
          {doors.slice(0, doorsMost).map(({ origin, state, path, status, since }) => (
            <p key={origin}>
              <strong>{title(origin, dates.dateTime(since))}</strong> {states[state]}{' '}
              {status === null ? unanswered(path) : request(path, String(status))}
            </p>
          ))}
          {doors.length > doorsMost && <p>{more(doors.length - doorsMost)}</p>}
        </>
      )}
    </Banner>
  )
}

const OutageBanner = ({ ended, checks, dates }: { ended: string | null | undefined; checks: number; dates: DateTimeFormat }) => (
  <Banner>{typeof ended === 'string' && <p>{words.outageBanner(checks, dates.dateTime(ended))}</p>}</Banner>
)

/** Warns in every section that emails are delayed or rejected, with a link to the section that lists them. There, it is below the heading. */
const MailBanner = ({ isHere, tried, refused }: { isHere: boolean; tried: number; refused: number }) => (
  <Banner>
    {tried + refused > 0 && (
      <>
        {tried > 0 && <p>{words.mailBanner(tried)}</p>}
        {refused > 0 && <p className={tried > 0 ? styles.bannerNext : undefined}>{words.refusedBanner(refused)}</p>}
        {!isHere && (
          <p>
            <RouteLink to={{ at: 'mails' }} className={styles.bannerLink}>
              {words.sections.mails}
            </RouteLink>
          </p>
        )}
      </>
    )}
  </Banner>
)
