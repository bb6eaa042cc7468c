import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type {
  AuthOutcome,
  AuthToken,
  Factor,
  FactorType,
  OwnAccount,
  PushStatus,
  SkipRefusal,
  SsoProviderName,
  VerifyError,
} from '@gatehouse/wire'
import { preparePage } from './prepared-page.ts'

/** What the portal's build left: HTML files, their assets, and a function that renders a page. */
export type BuiltPages = Awaited<ReturnType<typeof loadBuiltPages>>

export type Notice = { title: string; text: string; action: { label: string; href: string } }

/** What is set up wrong; `trouble` is its name, `facts` are what was seen. */
export type TroubleProps = {
  trouble: string
  title: string
  cause: string
  advice: string
  facts: { name: string; value: string }[]
  note: string
  action: Notice['action']
}

/** A mail of the development mailbox; `at` is an instant in ISO 8601. */
type MailboxMail = { id: string; to: string; subject: string; at: string }

/** The development mailbox: its mails, newest first, and the one that is open. */
export type Mailbox = { messages: MailboxMail[]; open?: (MailboxMail & { from: string; text: string }) | undefined }

/** What the administration page tells of whoever opens it: days are reckoned in the time zone. */
type AdministrationProps = { username: string; zone: string }

const rendered = [
  'index',
  'area',
  'account',
  'administration',
  'approve',
  'notice',
  'one-time-link',
  'new-password',
  'new-factor',
  'confirm-email',
  'recovery-codes',
  'mailbox',
  'trouble',
] as const
type Rendered = (typeof rendered)[number]

/** What came of a form, where it led nowhere else: what the widget's `Said` is. */
export type Said =
  | { show: 'failed-login' | 'forced-reset' }
  | { explain: VerifyError }
  | { sent: 'reset-email' | 'one-time-link' }
  | { wrong: 'email' | 'code' }

/** Nobody's password is ever in a page: a ticket stands in for it. */
type Credentials = { username: string; password: '' }

/** A number that is shown in a browser, to be typed on a phone. */
export type Asked = { challengeUUID: string; challengeNumber: string; challengeExpires: string }

/** A page of the sign-in area, as the widget names them. */
export type AreaPage =
  | { at: 'login' | 'forgot-password'; email?: string }
  | { at: 'verify-factor'; credentials: Credentials; firstSetup: false; factorUUID?: string; factorTypes?: FactorType[] }
  | { at: 'approve-on-phone'; credentials: Credentials; factorTypes: FactorType[]; asked: (Asked & { status: PushStatus }) | null }
  | { at: 'verify-factor'; credentials: Credentials; firstSetup: true; factor: Factor }
  | { at: 'create-factor'; credentials: Credentials; factor: Factor; skipRefused?: SkipRefusal }
  | { at: 'recovery-code'; credentials: Credentials; factorTypes: FactorType[] }
  | { at: 'reset-factor'; credentials: Credentials }
type AreaProps = { page: AreaPage; said?: Said | undefined }

/** What the widget itself makes of an answer. */
export type Step =
  | { go: { at: string } }
  | { leave: AuthToken }
  | Extract<Said, { show: unknown } | { explain: unknown }>
  | { stay: object }
  | { puzzle: string }

/** What is wrong with what was typed on the page of a mailed link, and where it is said. */
export type Problem = { at: 'page' | 'password' | 'again'; message: string }

/** How the page of a mailed link begins that was pasted into it. */
export type MailLinkBegin =
  | { is: 'Dead'; why: 'Used' | 'Expired' | 'Unknown' }
  | { is: 'Good'; email: string }
  | { is: 'GoodWithError'; email: string; problem: Problem }
  | { is: 'Done'; email: string; result?: Factor }

type Rendering = {
  newPasswordProblem: (password: string, again: string, least: number) => Problem | undefined
  refusedPassword: (message: string) => Problem | undefined
  renderPage: (page: Rendered, props: unknown) => string
  afterLogin: (outcome: AuthOutcome, credentials: Credentials) => Step
  afterFactor: (outcome: AuthOutcome) => Step
  afterReset: (outcome: AuthOutcome, credentials: Credentials) => Step
}

/**
 * Loads the built pages.
 * @param folder the portal's `dist`
 * @param basePath path of the public address, without a slash at its end
 * @param shown providers of single sign-on that the sign-in page offers, in this order
 */
export const loadBuiltPages = async (folder: string, basePath: string, shown: readonly SsoProviderName[]) => {
  // The widget's own default need not be told.
  const providers = shown.join() === 'google,azure,pak' ? undefined : shown
  const client = join(folder, 'client')
  const read = async (page: string) => {
    const html = await readFile(join(client, `${page}.html`), 'utf8')
    if (!html) throw new Error('a page is empty')
    return html.replaceAll('="./', `="${basePath}/`)
  }
  const htmlOf = new Map(await Promise.all(rendered.map(async page => [page, await read(page)] as const)))
  const { renderPage, ...rendering }: Rendering = await import(pathToFileURL(join(folder, 'render.js')).href)
  const inlined = await inlineStyles(htmlOf.get('index') ?? '', client, basePath)
  htmlOf.set('index', inlined.html)
  const fill = (page: Rendered, props?: unknown) =>
    (htmlOf.get(page) ?? '')
      .replace('<!--app-->', () => renderPage(page, props))
      // '<' is escaped so that no text can end the script element it stands in.
      .replace(/(id="gatehouse-props">)null/, (_, start: string) => start + JSON.stringify(props).replaceAll('<', '\\u003c'))
  // The same for everybody.
  const signIn = preparePage(fill('index', { base: basePath, page: { at: 'login' }, providers }))
  const approve = fill('approve')
  const approveWorker = await readFile(join(client, 'approve-worker.js'), 'utf8')
  const trouble = (props: TroubleProps) => fill('trouble', props)
  const styles = await stylesOf(htmlOf.get('trouble') ?? '', client, basePath)
  return {
    assets: join(client, 'assets'),
    ...rendering,
    /** The sign-in page as it is for everybody who has not tried yet. */
    signIn,
    signInSaying: (props: AreaProps) => titled(fill('index', { base: basePath, providers, ...props }), isWrong(props)),
    /** Hashes of the styles that stand in the sign-in page. */
    signInStyles: [inlined.hash],
    /** Every other page of the sign-in area. */
    area: (props: AreaProps) => titled(fill('area', { base: basePath, ...props }), isWrong(props)),
    account: (props: { account: OwnAccount }) => fill('account', { ...props, base: basePath }),
    administration: (props: AdministrationProps) => fill('administration', props),
    trouble,
    /**
     * The same page for an answer that a proxy gives in place of another's: nothing of ours can be loaded there, so the styles are
     * in it, and a policy allows those and nothing else.
     */
    inPlace: (props: TroubleProps) => ({
      html: trouble(props)
        .replaceAll(/\s*<link rel="(?:stylesheet|icon)"[^>]*>/g, '')
        .replace('</head>', () => `<style>${styles}</style></head>`),
      policy: `default-src 'none'; style-src 'sha256-${createHash('sha256').update(styles).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    }),
    notice: (props: Notice) => fill('notice', props),
    oneTimeLink: (begin?: MailLinkBegin) => fill('one-time-link', { base: basePath, begin }),
    newPassword: (minPasswordLength: number, begin?: MailLinkBegin) =>
      titled(fill('new-password', { base: basePath, minPasswordLength, begin }), begin?.is === 'GoodWithError'),
    newFactor: (begin?: MailLinkBegin) => fill('new-factor', { base: basePath, begin }),
    confirmEmail: (begin?: MailLinkBegin) => fill('confirm-email', { base: basePath, begin }),
    approve: () => approve,
    approveWorker: () => approveWorker,
    approveManifest: (productName: string) => ({
      id: `${basePath}/approve`,
      name: `${productName} approver`,
      short_name: productName,
      description: 'Approves sign-ins on this device.',
      lang: 'en',
      start_url: `${basePath}/approve`,
      scope: `${basePath}/approve`,
      display: 'standalone',
      // What the page is drawn on, light; the page itself says what it is in the dark.
      background_color: '#f5f6f8',
      theme_color: '#f5f6f8',
      icons: iconsOf(approve),
    }),
    recoveryCodes: (props: { dashboardUrl: string; codes?: string[] }) => fill('recovery-codes', props),
    mailbox: (props: Mailbox) => fill('mailbox', { ...props, base: basePath }),
  }
}

const isWrong = ({ page, said }: AreaProps): boolean => {
  const answered = page.at === 'approve-on-phone' ? page.asked?.status.challengeStatus : undefined
  return answered === 'Denied' || answered === 'Expired' || (said !== undefined && !('sent' in said))
}

/** The title is what is read out first of a page that was just loaded; an alert that was there from the start is not. */
const titled = (html: string, wrong: boolean) => (wrong ? html.replace('<title>', '<title>Error: ') : html)

/** The page with its styles in it: one request less, and its text is seen with the first. */
const inlineStyles = async (html: string, client: string, basePath: string) => {
  const styles = await stylesOf(html, client, basePath)
  return {
    html: html.replaceAll(/\s*<link rel="stylesheet"[^>]*>/g, '').replace('</head>', () => `<style>${styles}</style>\n  </head>`),
    hash: `'sha256-${createHash('sha256').update(styles).digest('base64')}'`,
  }
}

/** The pictures that a page names for an app that is installed of it. That of Apple's home screen fills its square, as one that is masked has to. */
const iconsOf = (html: string) =>
  [...html.matchAll(/<link rel="(icon|apple-touch-icon)"[^>]* sizes="(\d+x\d+)"[^>]* href="([^"]+)"/g)].map(([, rel, sizes, src]) => ({
    src,
    sizes,
    type: 'image/png',
    purpose: rel === 'icon' ? 'any' : 'maskable',
  }))

/** What the style sheets say that a page names. */
const stylesOf = async (html: string, client: string, basePath: string): Promise<string> => {
  const hrefs = [...html.matchAll(/<link rel="stylesheet"[^>]*href="([^"]+)"/g)].map(([, href = '']) => href.slice(basePath.length))
  return (await Promise.all(hrefs.map(href => readFile(join(client, href), 'utf8')))).join('\n')
}
