import { createApi, createConfig, SignIn } from '@gatehouse/sign-in'
import { afterFactor, afterLogin, afterReset } from '@gatehouse/sign-in/rendering'
import * as qrCode from '@gatehouse/ui/qr-code/qr-code.tsx'
import type { Factor } from '@gatehouse/wire'
import type { ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { AccountPage, isAccountProps } from './account/account-page.tsx'
import { isRecoveryCodesProps, RecoveryCodesPage } from './account/recovery-codes-page.tsx'
import { createAdministrationApi } from './administration/administration-api.ts'
import { AdministrationPage, isAdministrationProps } from './administration/administration-page.tsx'
import { createApproverApi } from './approver/approver-api.ts'
import { ApproverPage } from './approver/approver-page.tsx'
import { createPortalApi } from './calls/portal-api.ts'
import { type Redeemed, refusedPassword } from './mail-links/after-mail-link.ts'
import { ConfirmEmailPage } from './mail-links/confirm-email-page.tsx'
import { isMailLinkProps } from './mail-links/mail-link-props.ts'
import { NewFactorPage } from './mail-links/new-factor-page.tsx'
import { isNewPasswordProps, NewPasswordPage } from './mail-links/new-password-page.tsx'
import { newPasswordProblem } from './mail-links/new-password-rules.ts'
import { OneTimeLinkPage } from './mail-links/one-time-link-page.tsx'
import { isMailboxProps, MailboxPage } from './server-pages/mailbox-page.tsx'
import { isTroubleProps, TroublePage } from './server-pages/misconfiguration-page.tsx'
import { isNoticeProps, NoticePage } from './server-pages/notice-page.tsx'
import { AreaPage, isAreaProps, showsQrCode } from './sign-in-area/area-page.tsx'

// What the server makes of an answer to a form is what the widget makes of it.
export { afterFactor, afterLogin, afterReset, newPasswordProblem, refusedPassword }

type RenderedPage =
  | 'index'
  | 'area'
  | 'account'
  | 'administration'
  | 'approve'
  | 'confirm-email'
  | 'mailbox'
  | 'new-factor'
  | 'new-password'
  | 'notice'
  | 'one-time-link'
  | 'recovery-codes'
  | 'trouble'

const config = createConfig()
const portalApi = createPortalApi(config)
const accountApi = { ...createApi(config), ...portalApi }
/** No server sees the fragment: the page of a mailed link is rendered as it is before it has looked. */
const unlooked = { link: undefined, api: portalApi }
const nothing = async () => {}
const device = { save: () => {}, print: () => {} }
/** No server sees the whole address: the frame is rendered, and what is in it the browser asks for. */
const unplaced = {
  base: '',
  api: createAdministrationApi(config),
  addresses: { read: () => ({ at: 'mails' }) as const, push: () => {}, listen: () => () => {} },
  visit: () => {},
}

/** Where the server answers. */
const based = <Props extends object>(props: Props & { base?: unknown }) => ({
  ...props,
  base: typeof props.base === 'string' ? props.base : '',
})
/** No server has the keys of a phone: the page is rendered as it is before it has looked for them. */
const unopened = {
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
    onWoken: () => () => {},
    onInstallable: () => () => {},
  },
  isSecure: true,
  openAccounts: () => Promise.reject(new Error('there is no store on a server')),
}

const element = (page: RenderedPage, props: unknown): ReactNode => {
  switch (page) {
    case 'index':
      return (
        isAreaProps(props) && (
          <SignIn
            server={{ basePath: props.base }}
            autoFocus
            plainForms
            initialPage={props.page}
            said={props.said}
            providers={props.providers}
          />
        )
      )
    case 'area':
      return isAreaProps(props) && <AreaPage {...props} qr={showsQrCode(props) ? qrCode : undefined} />
    case 'account':
      return isAccountProps(props) && <AccountPage {...props} {...device} api={accountApi} visit={() => {}} leave={() => {}} />
    case 'administration':
      return isAdministrationProps(props) && <AdministrationPage {...unplaced} {...props} />
    case 'approve':
      return <ApproverPage {...unopened} />
    case 'notice':
      return isNoticeProps(props) && <NoticePage {...props} />
    case 'one-time-link':
      return isMailLinkProps<Redeemed>(props) && <OneTimeLinkPage {...unlooked} {...based(props)} leave={nothing} goOn={() => null} />
    case 'new-password':
      return isNewPasswordProps(props) && <NewPasswordPage {...unlooked} {...based(props)} />
    case 'new-factor':
      return isMailLinkProps<Factor>(props) && <NewFactorPage {...unlooked} {...based(props)} qr={qrCode} />
    case 'confirm-email':
      return isMailLinkProps<void>(props) && <ConfirmEmailPage {...unlooked} {...based(props)} />
    case 'recovery-codes':
      return isRecoveryCodesProps(props) && <RecoveryCodesPage {...props} {...device} api={portalApi} />
    case 'trouble':
      return isTroubleProps(props) && <TroublePage {...props} />
    case 'mailbox':
      return isMailboxProps(props) && <MailboxPage {...props} />
  }
}

/**
 * The inner HTML of a page's #root, for our own server. Where the page has a script, the browser hydrates it with the same component
 * and the same properties.
 * @throws TypeError when the properties are not those of the page
 */
export const renderPage = (page: RenderedPage, props?: unknown): string => {
  const rendered = element(page, props)
  if (!rendered) throw new TypeError(`renderPage: wrong properties for ${page}`)
  return renderToString(rendered)
}
