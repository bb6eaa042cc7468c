import { TextLink } from '@gatehouse/ui/buttons/button.tsx'
import { Logo } from '@gatehouse/ui/layout/logo.tsx'
import { Title } from '@gatehouse/ui/layout/statement.tsx'
import { Surface } from '@gatehouse/ui/layout/surface.tsx'
import { Banner } from '@gatehouse/ui/status/banner.tsx'
import { Notice } from '@gatehouse/ui/status/notice.tsx'
import { dateTimeFormat } from '@gatehouse/wire'
import type { AdministrationProps } from '@gatehouse/wire/page-props'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { useActions } from '../actions/use-actions.ts'
import styles from './administration.module.css'
import type { AdministrationApi } from './administration-api.ts'
import { Board } from './board.tsx'
import { Mails } from './mails.tsx'
import { Waiting } from './reading.tsx'
import { addressOf, allUsers, type Place } from './route.ts'
import { PlaceLink, WayContext } from './route-link.tsx'
import type { SectionProps } from './section.ts'
import { useRead } from './use-read.ts'
import { User } from './user.tsx'
import type { UserAction } from './user-action.ts'
import { UserActionDialog } from './user-action-dialog.tsx'
import { Users } from './users.tsx'
import { words } from './words.ts'

export const isAdministrationProps = (props: unknown): props is AdministrationProps =>
  typeof props === 'object' &&
  props !== null &&
  'username' in props &&
  typeof props.username === 'string' &&
  'zone' in props &&
  typeof props.zone === 'string' &&
  'base' in props &&
  typeof props.base === 'string'

/** The address bar. */
type Addresses = { read: () => Place; push: (address: string) => void; listen: (moved: () => void) => () => void }

export type AdministrationPageProps = AdministrationProps & {
  api: AdministrationApi
  addresses: Addresses
  visit: (location: string) => void
}

const sections = [
  { at: 'board', to: { at: 'board', range: 'Day' } },
  { at: 'users', to: allUsers },
  { at: 'second-factors', to: { at: 'second-factors', search: '', filter: 'WithoutFactor', after: undefined } },
  { at: 'mails', to: { at: 'mails' } },
] as const satisfies { at: keyof typeof words.sections; to: Place }[]

export const AdministrationPage = ({ username, zone, base, api, addresses, visit }: AdministrationPageProps) => {
  // The server does not know the whole address: it renders the frame alone.
  const [place, setPlace] = useState<Place>()
  // Whether somebody went there on this page: then the heading is read out.
  const [moved, setMoved] = useState(false)
  const [changes, setChanges] = useState(0)
  const dates = useMemo(() => dateTimeFormat(zone), [zone])

  const move = useCallback(
    (to: Place) => {
      addresses.push(base + addressOf(to))
      setMoved(true)
      setPlace(to)
    },
    [addresses, base],
  )
  const actions = useActions<UserAction>({
    api,
    // The server does not say whether there is a password. The dialog offers a sign-out instead.
    hasPassword: true,
    refresh: done => {
      setChanges(before => before + 1)
      // In the same render, so that the page of a deleted user is not read again.
      if (done.kind === 'delete') move(allUsers)
    },
    leave: () => visit(`${base}/`),
    staysOpen: true,
  })
  const { dismiss } = actions
  useEffect(() => {
    setPlace(addresses.read())
    return addresses.listen(() => {
      setMoved(true)
      dismiss()
      setPlace(addresses.read())
    })
  }, [addresses, dismiss])

  const way = useMemo(() => {
    const go = (to: Place) => {
      dismiss()
      move(to)
    }
    return { base, go }
  }, [base, dismiss, move])

  const [overview] = useRead(api.overview, `${place?.at} ${changes}`)
  const figures = overview.is === 'Loaded' ? overview.value : undefined

  const signOut = async () => {
    await api.logoutBySelf()
    visit(`${base}/`)
  }

  return (
    <Surface>
      <WayContext value={way}>
        <div className={styles.page}>
          <header className={styles.head}>
            <Logo />
            <div className={styles.who}>
              <span className={styles.name}>{username}</span>
              <TextLink href={`${base}/account`}>{words.account}</TextLink>
            </div>
          </header>
          <nav className={styles.sections} aria-label={words.navigation}>
            {sections.map(({ at, to }) => (
              <PlaceLink key={at} to={to} className={styles.section} aria-current={sectionOf(place) === at ? 'page' : undefined}>
                {words.sections[at]}
              </PlaceLink>
            ))}
          </nav>
          <MailTrouble tried={figures?.mailsTriedInVain ?? 0} refused={figures?.mailsRefused ?? 0} />
          <Notice title={words.done} message={actions.news} />
          <div className={styles.content} key={place && addressOf(place)}>
            {place ? (
              <Section place={place} moved={moved} {...{ figures, api, username, zone, dates, actions, changes, visit, base }} />
            ) : (
              <>
                <Title>{words.title}</Title>
                <Waiting />
              </>
            )}
          </div>
        </div>
        <UserActionDialog actions={actions} api={api} username={username} zone={zone} signOut={() => void signOut()} />
      </WayContext>
    </Surface>
  )
}

const sectionOf = (place: Place | undefined) => (place?.at === 'user' ? 'users' : place?.at)

const Section = ({ place, ...props }: SectionProps & { place: Place }) => {
  switch (place.at) {
    case 'board':
      return <Board {...props} range={place.range} />
    case 'users':
    case 'second-factors':
      return <Users {...props} place={place} />
    case 'user':
      return <User {...props} userId={place.userId} />
    case 'mails':
      return <Mails {...props} />
  }
}

/** Says on every section that mail does not go out. */
const MailTrouble = ({ tried, refused }: { tried: number; refused: number }) => (
  <Banner>
    {tried + refused > 0 && (
      <p>
        {tried > 0 && `${words.mailBanner(tried)} `}
        {refused > 0 && `${words.refusedBanner(refused)} `}
        <PlaceLink to={{ at: 'mails' }} className={styles.bannerLink}>
          {words.sections.mails}
        </PlaceLink>
      </p>
    )}
  </Banner>
)
