import { languages } from 'gatehouse:languages'
import { createApi, createConfig, SignIn } from '@gatehouse/sign-in'
import { afterFactor, afterLogin, afterReset, englishFirstLoad } from '@gatehouse/sign-in/rendering'
import * as qrCode from '@gatehouse/ui/qr-code/qr-code.tsx'
import type { Factor } from '@gatehouse/wire'
import type { PageLogo, PageName, PageProps, PagesInLanguage, Rendering } from '@gatehouse/wire/page-props'
import type { ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { AccountPage, isAccountProps } from './account/account-page.tsx'
import { isRecoveryCodesProps, RecoveryCodesPage } from './account/recovery-codes-page.tsx'
import { createAdministrationApi } from './administration/administration-api.ts'
import { AdministrationPage, isAdministrationProps } from './administration/administration-page.tsx'
import { createApproverApi } from './approver/approver-api.ts'
import { ApproverPage } from './approver/approver-page.tsx'
import { LogoContext } from './brand-logo.tsx'
import { createPortalApi } from './calls/portal-api.ts'
import { renderFrame } from './frame/frame.tsx'
import { refusedPassword, wrongNumber } from './mail-links/after-mail-link.ts'
import { ConfirmEmailPage } from './mail-links/confirm-email-page.tsx'
import { isMailLinkProps, isOneTimeLinkProps } from './mail-links/mail-link-props.ts'
import { NewFactorPage } from './mail-links/new-factor-page.tsx'
import { isNewPasswordProps, NewPasswordPage } from './mail-links/new-password-page.tsx'
import { newPasswordProblem } from './mail-links/new-password-rules.ts'
import { OneTimeLinkPage } from './mail-links/one-time-link-page.tsx'
import { portalTexts, signInTexts, speak } from './messages/current.ts'
import { loadAllTexts, partsOf } from './messages/load-texts.ts'
import { drawnLogo } from './page-logo.tsx'
import { isLanguagesProps, LanguagesPage } from './server-pages/languages-page.tsx'
import { isMailboxProps, MailboxPage } from './server-pages/mailbox-page.tsx'
import { isMisconfigurationProps, MisconfigurationPage } from './server-pages/misconfiguration-page.tsx'
import { isNoticeProps, NoticePage } from './server-pages/notice-page.tsx'
import { AreaPage, isAreaProps, showsQrCode } from './sign-in-area/area-page.tsx'
import { headingOf } from './sign-in-area/heading.ts'

const config = createConfig()
const portalApi = createPortalApi(config)
const accountApi = { ...createApi(config), ...portalApi }
/** The browser does not send the fragment, so the server renders the state before the link is looked up. */
const withoutLink = { link: undefined, api: portalApi }
const nothing = async () => {}
const device = { save: () => {}, print: () => {} }
/** The server renders the frame of the administration page; the browser loads its content. */
const withoutPlace = {
  api: createAdministrationApi(config),
  addresses: { read: () => ({ at: 'mails' }) as const, push: () => {}, replace: () => {}, listen: () => () => {} },
  visit: () => {},
}

/** A phone's keys never leave it, so the server renders the state before the page has looked for keys. */
const withoutKeys = {
  link: undefined,
  address: '',
  api: createApproverApi(config),
  device: {
    name: '',
    wantsHomeScreen: false,
    notifications: () => 'none' as const,
    askForNotifications: nothing,
    subscription: async () => undefined,
    clearNotifications: nothing,
    onPush: () => () => {},
    onInstallable: () => () => {},
  },
  isSecure: true,
  openAccounts: () => Promise.reject(new Error('the server has no key store')),
}

/** A page's check of its props, and its component. */
type View<Props> = { accepts: (props: unknown) => props is Props; draw: (props: Props, logo: PageLogo | undefined) => ReactNode }

const views: { [Name in PageName]: View<PageProps[Name]> } = {
  index: {
    accepts: isAreaProps,
    draw: ({ base, page, said, heading, ...options }, logo) => (
      <SignIn
        {...options}
        server={{ basePath: base }}
        logo={drawnLogo(logo)}
        messages={signInTexts}
        heading={headingOf(heading)}
        autoFocus
        plainForms
        initialPage={page}
        formResult={said}
      />
    ),
  },
  area: {
    accepts: isAreaProps,
    draw: (props, logo) => <AreaPage {...props} logo={logo} qr={showsQrCode(props) ? qrCode : undefined} />,
  },
  account: {
    accepts: isAccountProps,
    draw: props => <AccountPage {...props} {...device} languages={languages} api={accountApi} visit={() => {}} leave={() => {}} />,
  },
  administration: { accepts: isAdministrationProps, draw: props => <AdministrationPage {...withoutPlace} {...props} /> },
  approve: { accepts: props => props === undefined, draw: () => <ApproverPage {...withoutKeys} /> },
  'one-time-link': {
    accepts: isOneTimeLinkProps,
    draw: props => <OneTimeLinkPage {...withoutLink} {...props} leave={nothing} goOn={() => null} />,
  },
  'new-password': { accepts: isNewPasswordProps, draw: props => <NewPasswordPage {...withoutLink} {...props} /> },
  'new-factor': { accepts: isMailLinkProps<Factor>, draw: props => <NewFactorPage {...withoutLink} {...props} qr={qrCode} /> },
  'confirm-email': { accepts: isMailLinkProps<void>, draw: props => <ConfirmEmailPage {...withoutLink} {...props} /> },
  'recovery-codes': { accepts: isRecoveryCodesProps, draw: props => <RecoveryCodesPage {...props} {...device} api={portalApi} /> },
  mailbox: { accepts: isMailboxProps, draw: props => <MailboxPage {...props} /> },
  misconfiguration: { accepts: isMisconfigurationProps, draw: props => <MisconfigurationPage {...props} /> },
  languages: { accepts: isLanguagesProps, draw: props => <LanguagesPage {...props} /> },
  notice: { accepts: isNoticeProps, draw: props => <NoticePage {...props} /> },
}

/**
 * A built page loads its texts later. The server has all of them, because it renders synchronously.
 */
const allTexts = new Map(await Promise.all(languages.map(async ({ tag }) => [tag, await loadAllTexts(tag)] as const)))

const inLanguage = (tag: string): PagesInLanguage => {
  const texts = allTexts.get(tag) ?? {}
  const spoken =
    <Given extends readonly unknown[], Result>(write: (...given: Given) => Result) =>
    (...given: Given): Result => {
      speak(tag, texts)
      return write(...given)
    }
  speak(tag, texts)
  const { titles, errorInTitle, approverNeedsScript } = portalTexts
  return {
    renderPage: spoken(renderPage),
    renderFrame: spoken(renderFrame),
    dataOf: spoken(dataOf),
    titles,
    errorInTitle,
    approverNeedsScript,
    partsOf,
    afterLogin,
    afterFactor,
    afterReset,
    newPasswordProblem: spoken(newPasswordProblem),
    refusedPassword: spoken(refusedPassword),
    wrongNumber: wrongNumber(),
  }
}

const renderPage: PagesInLanguage['renderPage'] = (page, props, logo) => {
  const { accepts, draw } = views[page]
  if (!accepts(props)) throw new TypeError(`renderPage: wrong props for ${page}`)
  return renderToString(<LogoContext value={logo}>{draw(props, logo)}</LogoContext>)
}

/** The sign-in page hydrates at once, with its heading and the texts that it shows first. */
const dataOf: PagesInLanguage['dataOf'] = (page, props) => {
  if (page !== 'index' || !isAreaProps(props)) return written(props)
  const firstLoad = Object.entries(signInTexts).filter(([key]) => key in englishFirstLoad)
  return written({ ...props, heading: headingOf(props.heading), messages: Object.fromEntries(firstLoad) })
}

/** JSON that cannot close the script element that contains it. */
const written = (props: unknown) => (JSON.stringify(props) ?? 'null').replaceAll('<', '\\u003c')

const inLanguages = new Map(languages.map(({ tag }) => [tag, inLanguage(tag)]))
const english = inLanguage('en')

/** What the built `render.js` exports for our server. Pages with a script hydrate with the same components and props. */
export const rendering: Rendering = {
  languages,
  in: tag => inLanguages.get(tag) ?? english,
}
