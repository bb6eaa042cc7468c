import type { Api } from '@gatehouse/sign-in'
import { Button, TextLink } from '@gatehouse/ui/buttons/button.tsx'
import { Form } from '@gatehouse/ui/fields/form.tsx'
import { useHydrated } from '@gatehouse/ui/hooks/use-hydrated.ts'
import { Title } from '@gatehouse/ui/layout/statement.tsx'
import { Surface } from '@gatehouse/ui/layout/surface.tsx'
import { ErrorPanel } from '@gatehouse/ui/status/error-panel.tsx'
import { Tag } from '@gatehouse/ui/status/tag.tsx'
import { useToasts } from '@gatehouse/ui/toasts/use-toasts.tsx'
import { decode, OwnAccount } from '@gatehouse/wire'
import type { AccountProps } from '@gatehouse/wire/page-props'
import { Fragment, type ReactNode, useCallback, useState } from 'react'
import { BackIcon } from '../back-icon.tsx'
import { BrandLogo } from '../brand-logo.tsx'
import type { PortalApi } from '../calls/portal-api.ts'
import { failureMessage } from '../failure-message.ts'
import { accountTexts, portalTexts, signInTexts } from '../messages/current.ts'
import type { PasskeyAccess } from '../passkeys/passkey-access.ts'
import styles from './account-page.module.css'
import { reauthenticates, signsInAlone } from './factor-actions.ts'
import type { CodeDevice } from './recovery-code-list.tsx'
import { MessageContext, type ShowMessage } from './section.tsx'
import { type SectionLink, SectionLinks } from './section-links.tsx'
import { type ActivityProps, ActivitySection } from './sections/activity-section.tsx'
import { type CredentialsProps, CredentialsSection } from './sections/credentials-section.tsx'
import { type FactorsProps, FactorsSection } from './sections/factors-section.tsx'
import { type KnownBrowsersProps, KnownBrowsersSection } from './sections/known-browsers-section.tsx'
import { type LanguageProps, LanguageSection } from './sections/language-section.tsx'
import { type PassesProps, PassesSection } from './sections/passes-section.tsx'
import { isPasskey, PasskeysSection } from './sections/passkeys-section.tsx'
import { type RecoveryProps, RecoverySection } from './sections/recovery-section.tsx'
import { type SessionsProps, SessionsSection } from './sections/sessions-section.tsx'
import { type TimeZoneProps, TimeZoneSection } from './sections/time-zone-section.tsx'
import { WaysToSignIn, type WaysToSignInProps } from './sections/ways-to-sign-in.tsx'
import { ServerClock } from './time-ago.tsx'
import { usePasses } from './use-passes.ts'

export const isAccountProps = (props: unknown): props is AccountProps =>
  typeof props === 'object' &&
  props !== null &&
  'base' in props &&
  typeof props.base === 'string' &&
  'now' in props &&
  typeof props.now === 'string' &&
  'account' in props &&
  decode(OwnAccount, props.account).ok

type SectionApi = CredentialsProps['api'] &
  WaysToSignInProps['api'] &
  FactorsProps['api'] &
  RecoveryProps['api'] &
  SessionsProps['api'] &
  KnownBrowsersProps['api'] &
  PassesProps['api'] &
  ActivityProps['api'] &
  TimeZoneProps['api'] &
  LanguageProps['api']

type AccountPageProps = AccountProps &
  CodeDevice & {
    api: Pick<Api, 'logoutBySelf'> & Pick<PortalApi, 'userAccount' | 'userPasses'> & SectionApi
    /** The browser's passkeys. Absent while the server renders. */
    passkeys?: PasskeyAccess | undefined
    /** The languages to choose from. */
    languages: LanguageProps['languages']
    /** Opens a provider's page, or this page again. Must stay the same function while the page is open. */
    visit: (location: string) => void
    /** Opens the sign-in page: the session has ended. */
    leave: () => void
  }
type SignOut = { is: 'SignedIn' } | { is: 'SigningOut' } | { is: 'SignedInWithError'; message: string }

const words = () => portalTexts.account

/** The user's account, with a section for each part of it. */
export const AccountPage = ({
  account: told,
  base,
  now,
  dashboard,
  api,
  passkeys,
  languages,
  visit,
  leave,
  ...device
}: AccountPageProps) => {
  const [account, setAccount] = useState(told)
  const [state, setState] = useState<SignOut>({ is: 'SignedIn' })
  const { passes, refresh: refreshPasses } = usePasses(api, account.passes === true)
  const awake = useHydrated()
  const { show, outlet } = useToasts(accountTexts.toasts, { position: 'bottom-right' })
  const tell = useCallback<ShowMessage>((section, message) => show({ kind: 'success', id: section, title: message }), [show])

  const signOut = async () => {
    setState({ is: 'SigningOut' })
    const reply = await api.logoutBySelf()
    // 401: the session has already ended.
    if (reply.ok || reply.failure.status === 401) return leave()
    setState({ is: 'SignedInWithError', message: failureMessage(reply.failure) })
  }

  const refresh = async () => {
    const reply = await api.userAccount()
    if (reply.ok) setAccount(reply.value)
    else if (reply.failure.status === 401) leave()
    // After other failures, keep the old data: the action itself succeeded.
  }

  /** Also reloads the passes, because a new password ends them. */
  const refreshWithPasses = async () => void (await Promise.all([refresh(), passes && refreshPasses()]))

  const reload = useCallback(() => visit(`${base}/account`), [visit, base])

  const { userIdent, userTZLabel, administrator, hasPassword, providers, factors } = account
  const hasPasskey = factors.some(reauthenticates)
  const section = { username: userIdent, hasPassword, hasPasskey, passkeys, api, refresh, leave }

  const sections: (SectionLink & { content: ReactNode })[] = [
    {
      id: 'credentials',
      title: accountTexts.credentials.title,
      content: (
        <CredentialsSection
          {...section}
          refresh={refreshWithPasses}
          minPasswordLength={account.minPasswordLength}
          hasPasses={passes !== undefined && passes.passes.length > 0}
        />
      ),
    },
    ...(providers.length > 0
      ? [
          {
            id: 'ways-to-sign-in',
            title: words().waysToSignIn,
            content: <WaysToSignIn {...section} signsInByPasskey={factors.some(signsInAlone)} providers={providers} visit={visit} />,
          },
        ]
      : []),
    ...(account.mostPasskeys != null || factors.some(isPasskey)
      ? [{ id: 'passkeys', title: accountTexts.passkeys.title, content: <PasskeysSection {...section} account={account} /> }]
      : []),
    { id: 'second-factor', title: accountTexts.factors.title, content: <FactorsSection {...section} account={account} /> },
    {
      id: 'recovery-codes',
      title: accountTexts.recovery.heading,
      content: (
        <RecoverySection
          {...section}
          {...device}
          left={account.recoveryCodesLeft}
          hasFactor={factors.length > 0}
          mayChangeFactors={account.mayChangeFactors}
        />
      ),
    },
    {
      id: 'sessions',
      title: accountTexts.sessions.title,
      content: <SessionsSection {...section} sessions={account.sessions} timeZone={userTZLabel} />,
    },
    {
      id: 'known-browsers',
      title: accountTexts.knownBrowsers.title,
      content: <KnownBrowsersSection {...section} browsers={account.browsers} timeZone={userTZLabel} />,
    },
    ...(passes && (passes.origins.length > 0 || passes.passes.length > 0)
      ? [
          {
            id: 'passes',
            title: accountTexts.passes.title,
            content: <PassesSection {...section} refresh={refreshWithPasses} own={passes} timeZone={userTZLabel} />,
          },
        ]
      : []),
    {
      id: 'activity',
      title: accountTexts.activity.title,
      content: <ActivitySection newest={account.activity} timeZone={userTZLabel} api={api} leave={leave} />,
    },
    { id: 'time-zone', title: accountTexts.timeZone.heading, content: <TimeZoneSection {...section} timeZone={userTZLabel} /> },
    ...(languages.length > 1
      ? [
          {
            id: 'language',
            title: accountTexts.language.heading,
            content: <LanguageSection {...section} chosen={account.userLanguage ?? undefined} languages={languages} reload={reload} />,
          },
        ]
      : []),
  ]

  return (
    <Surface>
      <div className={styles.page}>
        <header className={styles.head}>
          <div className={styles.logo}>
            <BrandLogo />
          </div>
          {(dashboard || administrator) && (
            <div className={styles.elsewhere}>
              {dashboard && (
                <TextLink href={dashboard.href}>
                  <span className={styles.back}>
                    <BackIcon /> {words().backTo(dashboard.name)}
                  </span>
                </TextLink>
              )}
              {administrator && <TextLink href={`${base}/administration`}>{accountTexts.administration}</TextLink>}
            </div>
          )}
          <div className={styles.signOut}>
            <Form send={() => void signOut()}>
              <Button type="submit" progress={state.is === 'SigningOut' ? 'running' : undefined}>
                {state.is === 'SigningOut' ? words().signingOut : words().signOut}
              </Button>
            </Form>
          </div>
        </header>
        <div className={styles.intro}>
          <ErrorPanel title={signInTexts.unexpected.title} message={state.is === 'SignedInWithError' ? state.message : undefined} />
          <Title>{words().title}</Title>
          <p className={styles.who}>
            <span>
              {words().signedInAs}{' '}
              <strong className={styles.name} dir="auto">
                {userIdent}
              </strong>
            </span>
            {administrator && <Tag>{words().administrator}</Tag>}
          </p>
          {!awake && <p className={styles.asleep}>{words().asleep}</p>}
        </div>
        <ServerClock start={now}>
          <MessageContext value={tell}>
            <div className={styles.body}>
              <SectionLinks sections={sections} />
              <div className={styles.sections}>
                {sections.map(({ id, content }) => (
                  <Fragment key={id}>{content}</Fragment>
                ))}
              </div>
            </div>
          </MessageContext>
        </ServerClock>
      </div>
      {outlet}
    </Surface>
  )
}
