import type { OwnAccount } from './account/own-account.ts'
import type { ErrorCode } from './format/error-body.ts'
import type { SsoProviderName } from './pages.ts'
import type { PasskeyAfterSignIn, PasskeyCreationOptions, PasskeyRequestOptions } from './passkey/passkey.ts'
import { plainPages } from './plain-pages.ts'
import type { PushStatus } from './push/push.ts'
import type { AuthOutcome, AuthToken, SkipRefusal } from './sign-in/auth.ts'
import type { Factor, SecondFactorType } from './sign-in/factor.ts'
import type { MailLink } from './sign-in/mail-link.ts'
import type { VerifyError } from './sign-in/verify-error.ts'

// The contract between the server and the portal, which is built separately: which pages exist, and the props of each.

const { login, ...laterSteps } = plainPages

/**
 * Every page that the server renders, with the paths that show it, below the base path. The portal builds an HTML file for each name.
 * A page without a path can be the response to any path.
 */
export const pagePaths = {
  index: [login],
  area: Object.values(laterSteps),
  account: ['/account'],
  administration: [
    '/administration',
    '/administration/sign-ins',
    '/administration/users',
    '/administration/user',
    '/administration/second-factors',
    '/administration/mails',
    '/administration/passes',
  ],
  approve: ['/approve'],
  'one-time-link': ['/one-time-link'],
  'new-password': ['/new-password'],
  'new-factor': ['/new-factor'],
  'confirm-email': ['/confirm-email'],
  'recovery-codes': ['/recovery-codes'],
  mailbox: ['/mail'],
  misconfiguration: ['/trouble'],
  languages: ['/auth/page/plow/language'],
  notice: [],
} as const satisfies Record<string, readonly string[]>

export type PageName = keyof typeof pagePaths

/** The props of each page. The server renders with them, and pages with a script hydrate with the same props as JSON. */
export type PageProps = {
  index: AreaProps
  area: AreaProps
  account: AccountProps
  administration: AdministrationProps
  approve: undefined
  'one-time-link': OneTimeLinkProps
  'new-password': NewPasswordProps
  'new-factor': MailLinkProps<Factor>
  'confirm-email': MailLinkProps<void>
  'recovery-codes': RecoveryCodesProps
  mailbox: MailboxProps
  misconfiguration: MisconfigurationProps
  languages: LanguagesProps
  notice: NoticeProps
}

/** The export `rendering` of the portal's `render.js`. */
export type Rendering = {
  /** The languages of the pages, English first: the BCP 47 tag, and the language's own name. */
  languages: readonly { tag: string; name: string }[]
  /** The pages in a language, or in English if that language does not exist. */
  in: (tag: string) => PagesInLanguage
}

/** A part of a translation, by its key in the translation's file. Browsers load its texts from `assets/texts-<part>-<tag>-<hash>.js`. */
export type TextPart = 'signIn' | 'portal' | 'account' | 'administration' | 'approver'

/** The pages in one language. The server and the widget choose the same next step, because both use this code. */
export type PagesInLanguage = {
  /**
   * The inner HTML of a page's `#root`.
   * @param logo replaces Gatehouse's; the page's head must name it as well, as JSON in `<meta name="gatehouse-logo">`
   * @throws TypeError when the props are not those of the page
   */
  renderPage: <Name extends PageName>(page: Name, props: PageProps[Name], logo?: PageLogo) => string
  renderFrame: (frame: PageFrame) => RenderedFrame
  /** The content of the element `#gatehouse-props`, with which the page's script hydrates. It may contain texts too. */
  dataOf: <Name extends PageName>(page: Name, props: PageProps[Name]) => string
  /** The title of each page, which the product's name follows. */
  titles: Readonly<Record<Exclude<PageName, 'misconfiguration' | 'notice'>, string>>
  /**
   * The title of a page that shows an error from the start. The page removes the error from its title as soon as the user sends a form, so
   * its head also contains the title without the error, in `<meta name="gatehouse-title">`.
   */
  errorInTitle: (title: string) => string
  /** The text of the approver's `noscript`. */
  approverNeedsScript: string
  /** The parts that a page's script loads before it hydrates. The page's head preloads them. */
  partsOf: Readonly<Record<PageName, readonly TextPart[]>>
  afterLogin: (outcome: AuthOutcome, credentials: Credentials) => Step
  afterFactor: (outcome: AuthOutcome) => Step
  afterReset: (outcome: AuthOutcome, credentials: Credentials) => Step
  /** `least` is a number of code points. */
  newPasswordProblem: (password: string, again: string, least: number) => FieldProblem | undefined
  /** The problem if the number typed on a one-time link's page differs from the waiting tab's. */
  wrongNumber: FieldProblem
  /** `message` is the server's own, about one field of a request. */
  refusedPassword: (message: string, code?: ErrorCode) => FieldProblem | undefined
}

/**
 * The logo of a page: the operator's name beside the Gatehouse mark, or, with `isPicture`, the operator's picture. A style sheet shows
 * the picture (`.brand-logo`); `name` is its text alternative.
 */
export type PageLogo = { name: string; isPicture?: true }

/** The frame around the content of every page. It needs no script. */
export type PageFrame = {
  notice?: string | undefined
  links: { help?: string; privacy?: string; imprint?: string }
  /** The link to the page of languages: the name of the current one, and the page's address. */
  language?: { name: string; href: string }
}

/** The HTML above the content and below `main`, each empty if the frame has nothing to show there, and the styles of both. */
export type RenderedFrame = { notice: string; footer: string; styles: string }

/** The server's base path, without a slash at the end. */
type Base = { base: string }

type Link = { label: string; href: string }

// The sign-in area.

/** The user's input on the login page. The server never writes a password into a page; a ticket in a cookie replaces it. */
export type Credentials = { username: string; password: string }

/** The types of second factor that a user has; without them, the page asks for a code. */
type FactorTypes = { factorTypes?: readonly SecondFactorType[] | undefined }

/** A request for approval on a phone; the browser shows the number, and the user types it on the phone. */
export type ApprovalRequest = { challengeUUID: string; challengeNumber: string; challengeExpires: string }

/** The pages of the sign-in area, and what each starts with (§2). `email` is the address that the user has typed so far. */
export type SignInPage<Known extends Credentials = Credentials> =
  | { at: 'login'; email?: string }
  /** `only`: whether the page offers a one-time link and no password reset. */
  | { at: 'forgot-password'; email?: string; only?: 'link' }
  /** Asks for a code. After a reset, `factorUUID` identifies the new factor. Users whose factors are all phones see `approve-on-phone`. */
  | ({ at: 'verify-factor'; credentials: Known; firstSetup: false; factorUUID?: string } & FactorTypes)
  /** Shows a number to type on a phone. `asked` is the pending request of a form without a script. */
  | ({ at: 'approve-on-phone'; credentials: Known; asked?: (ApprovalRequest & { status: PushStatus }) | null } & FactorTypes)
  /** Asks for a passkey. `passkey`: the options from the previous answer, if it had any. */
  | ({ at: 'use-passkey'; credentials: Known; passkey?: PasskeyRequestOptions } & FactorTypes)
  /** `passkey`: the options to set up a passkey in place of the authenticator app. */
  | { at: 'create-factor'; credentials: Known; factor: Factor; skipRefused?: SkipRefusal; passkey?: PasskeyCreationOptions }
  /** Asks for the first code of the factor that the previous page showed. */
  | { at: 'verify-factor'; credentials: Known; firstSetup: true; factor: Factor; skipRefused?: SkipRefusal }
  | ({ at: 'recovery-code'; credentials: Known } & FactorTypes)
  | { at: 'reset-factor'; credentials: Known }

/** The result of a form that was sent without JavaScript, if the server shows the same page again. */
export type FormResult =
  | ShowFailure
  | ExplainError
  | { sent: 'reset-email' | 'one-time-link'; number?: string; wrongCode?: true }
  | { wrong: 'email' | 'code' }

/** A page of the sign-in area as the server renders it. */
export type AreaPage = SignInPage<Credentials & { password: '' }>

/** A line under the buttons of some providers, for example that they did not respond. */
export type ProviderNotes = Partial<Record<SsoProviderName, string>>

export type AreaProps = Base & {
  page: AreaPage
  said?: FormResult | undefined
  /**
   * The product's name, and the host of the address that the user requested before the sign-in. `again`: the user is signed in, but that
   * address requires a more recent sign-in. Only on the login page.
   */
  heading?: { name: string; destination?: string | undefined; again?: boolean | undefined } | undefined
  /** Providers that the login page offers. Default: all. */
  providers?: readonly SsoProviderName[] | undefined
  providerNotes?: ProviderNotes | undefined
  /** Whether the server offers passkeys. */
  passkeys?: boolean | undefined
  /** Whether the page sends the code as soon as it has six digits. Default: no. */
  submitCodeWhenComplete?: boolean | undefined
}

/** Reasons for a refused sign-in (§8). Each has its text in the messages. */
export type FailureReason = 'failed-login' | 'forced-reset'

/** Another page of the area follows. */
export type GoToPage = { go: SignInPage }
/** The user is signed in and leaves the area. */
export type Leave = { leave: AuthToken; passkeys?: PasskeyAfterSignIn }
/** An error on this page. */
export type ShowFailure = { show: FailureReason }
/** An error of the second factor, on this page. */
export type ExplainError = { explain: VerifyError }
/** The page stays as it was before the call. A factor error goes to the console only (§8). */
export type Stay = { stay: { factorError?: VerifyError } }
/** The server does not reset the factor: no sign-in used both this password and the current factor. */
export type Hold = { hold: 'PasswordByMail' }
/** An outcome that this page does not expect. */
export type Unexpected = { unexpected: AuthOutcome['tag'] }

/** The step after the outcome of a call. */
export type Step = GoToPage | Leave | ShowFailure | ExplainError | Stay | Hold | Unexpected

// Pages of mailed links.

/** A problem of the input, and where the page shows it: at the top, or below a field. */
export type FieldProblem = { at: 'page' | 'password' | 'again' | 'number'; message: string }

/** The first state of a mailed link's page after the user pasted the link. `Result`: what redeeming it returns. */
export type PastedLink<Result> =
  | { is: 'Dead'; why: Exclude<MailLink['state'], 'Good'> }
  | { is: 'Good'; email: string; asksNumber?: boolean | undefined }
  | { is: 'GoodWithError'; email: string; asksNumber?: boolean | undefined; problem: FieldProblem }
  | { is: 'Done'; email: string; result: Result }

/** `begin` is absent until the user pastes the link: browsers do not send the fragment, so the server does not know the link. */
export type MailLinkProps<Result> = Base & { begin?: PastedLink<Result> | undefined }

/** `submitCodeWhenComplete` is for the code that may follow. */
export type OneTimeLinkProps = MailLinkProps<never> & Pick<AreaProps, 'submitCodeWhenComplete'>

/** The result of the link is the names of the user's passkeys, which the new password does not change. */
export type NewPasswordProps = MailLinkProps<readonly string[]> & { minPasswordLength: number }

// Pages for users who are signed in.

/**
 * `now` is the server's time, in ISO 8601; relative times count from it. `dashboard` is where users go after sign-in, unless they
 * stay on this page.
 */
export type AccountProps = Base & { account: OwnAccount; now: string; dashboard?: { name: string; href: string } | undefined }

/** The administrator, and the time zone of the page's dates. `hasPasskey`: the administrator can reauthenticate with a passkey. */
export type AdministrationProps = Base & { username: string; zone: string; hasPasskey: boolean }

/** The target of the sign-in, and the codes if a form has requested them. */
export type RecoveryCodesProps = { dashboardUrl: string; codes?: string[] }

// Pages without a script.

/**
 * The result that a page reports: `done`, too late (`expired`), nothing at this address (`absent`), refused (`stopped`), or the user
 * has to do something first (`attention`).
 */
export type EndStatus = 'done' | 'expired' | 'absent' | 'stopped' | 'attention'

/** A message with one link. `other`: a second link, which the page shows less prominently. */
export type NoticeProps = {
  status: EndStatus
  title: string
  text: string
  action: Link & { newTab?: boolean | undefined }
  other?: Link | undefined
}

/** All languages, the tag of the current one, and the path of the page that the choice leads back to. */
export type LanguagesProps = Base & { all: Rendering['languages']; current: string; back: string }

/** A misconfiguration of browser, proxy or server: `name` is the code that the doctor also prints, `facts` are what the server received. */
export type MisconfigurationProps = {
  /** The name that the doctor prints too, and its label. */
  name: string
  nameLabel: string
  title: string
  cause: string
  advice: string
  facts: { name: string; value: string }[]
  /** For users who cannot change the configuration. */
  note: string
  action: Link
}

/** An email in the development mailbox; `at` is an instant in ISO 8601. */
export type MailboxMail = { id: string; to: string; subject: string; at: string }
export type OpenMail = MailboxMail & { from: string; text: string }

/** The emails, newest first, and the open one. */
export type MailboxProps = Base & { messages: MailboxMail[]; open?: OpenMail | undefined }
