import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { OwnAccount } from '@gatehouse/wire'

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
  'account',
  'administration',
  'approve',
  'notice',
  'one-time-link',
  'second-factor',
  'new-password',
  'new-factor',
  'confirm-email',
  'recovery-codes',
  'mailbox',
  'trouble',
] as const
type Rendered = (typeof rendered)[number]

/**
 * Loads the built pages.
 * @param folder the portal's `dist`
 * @param basePath path of the public address, without a slash at its end
 */
export const loadBuiltPages = async (folder: string, basePath: string) => {
  const client = join(folder, 'client')
  const read = async (page: string) => {
    const html = await readFile(join(client, `${page}.html`), 'utf8')
    if (!html) throw new Error('a page is empty')
    return html.replaceAll('="./', `="${basePath}/`)
  }
  const signIn = await read('index')
  const htmlOf = new Map(await Promise.all(rendered.map(async page => [page, await read(page)] as const)))
  const { renderPage }: { renderPage: (page: Rendered, props: unknown) => string } = await import(
    pathToFileURL(join(folder, 'render.js')).href
  )
  const fill = (page: Rendered, props?: unknown) =>
    (htmlOf.get(page) ?? '')
      .replace('<!--app-->', () => renderPage(page, props))
      // '<' is escaped so that no text can end the script element it stands in.
      .replace(/(id="gatehouse-props">)null/, (_, start: string) => start + JSON.stringify(props).replaceAll('<', '\\u003c'))
  // The same for everybody: what is in the link's fragment no server sees, and whose sign-in goes on the script asks.
  const [oneTimeLink, secondFactor] = [fill('one-time-link'), fill('second-factor')]
  const [newFactor, confirmEmail] = [fill('new-factor'), fill('confirm-email')]
  const approve = fill('approve')
  const approveWorker = await readFile(join(client, 'approve-worker.js'), 'utf8')
  const trouble = (props: TroubleProps) => fill('trouble', props)
  const styles = await stylesOf(htmlOf.get('trouble') ?? '', client, basePath)
  return {
    assets: join(client, 'assets'),
    signIn: () => signIn,
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
    oneTimeLink: () => oneTimeLink,
    secondFactor: () => secondFactor,
    newPassword: (props: { minPasswordLength: number }) => fill('new-password', props),
    newFactor: () => newFactor,
    confirmEmail: () => confirmEmail,
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
    recoveryCodes: (props: { dashboardUrl: string }) => fill('recovery-codes', props),
    mailbox: (props: Mailbox) => fill('mailbox', { ...props, base: basePath }),
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
