import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { allLanguages } from '@gatehouse/language/build/translations.ts'
import type { SsoProviderName } from '@gatehouse/wire'
import {
  type AccountProps,
  type AdministrationProps,
  type AreaProps,
  type MailboxProps,
  type MailLinkProps,
  type MisconfigurationProps,
  type NewPasswordProps,
  type NoticeProps,
  type OneTimeLinkProps,
  type PageName,
  type PageProps,
  type ProviderNotes,
  pagePaths,
  type RecoveryCodesProps,
  type Rendering,
  type TextPart,
} from '@gatehouse/wire/page-props'
import type { Brand } from '../../brand/brand.ts'
import type { PageTexts } from '../../texts/page-texts.ts'
import { createBranding } from './branding.ts'
import { type PreparedPage, preparePage } from './prepared-page.ts'

/** The output of the portal's build: HTML files, their assets, and a module that renders pages. */
export type BuiltPages = Awaited<ReturnType<typeof loadBuiltPages>>

/** Props of a page without the base path, which is the same for all. */
type WithoutBase<Props> = Omit<Props, 'base'>

/** Facts that the sign-in page shows: the host where the user continues, and providers that did not respond. */
type SignInFacts = { destination?: string | undefined; providerNotes?: ProviderNotes | undefined }

/**
 * Loads the built pages.
 * @param folder the portal's `dist`
 * @param basePath path of the public address, without a trailing slash
 * @param shown providers of single sign-on that the sign-in page offers, in this order
 * @param options whether the pages offer passkeys, and send a code as soon as it has six digits
 */
export const loadBuiltPages = async (
  folder: string,
  basePath: string,
  shown: readonly SsoProviderName[],
  brand: Brand,
  options: Pick<AreaProps, 'passkeys' | 'submitCodeWhenComplete'> = {},
) => {
  // The widget's default needs no props.
  const providers = shown.join() === 'google,azure,pak' ? undefined : shown
  const switchedOn = {
    passkeys: options.passkeys || undefined,
    submitCodeWhenComplete: options.submitCodeWhenComplete || undefined,
  }
  const client = join(folder, 'client')
  const read = async (page: string): Promise<[string, string]> => {
    const html = await readFile(join(client, `${page}.html`), 'utf8')
    if (!html) throw new Error(`the built page ${page}.html is empty`)
    return [page, branding.dress(html.replaceAll('="./', `="${basePath}/`))]
  }
  const built: { rendering: Rendering } = await import(pathToFileURL(join(folder, 'render.js')).href)
  const { renderPage, renderFrame, dataOf, partsOf, errorInTitle, ...rendering } = built.rendering.in('en')
  const branding = createBranding(brand, basePath, renderFrame)
  const pages = new Map(await Promise.all(Object.keys(pagePaths).map(read)))
  const assets = await readdir(join(client, 'assets'))
  /** Lets a page load its texts together with its script. */
  const preloadsOf = (parts: readonly TextPart[]) =>
    parts
      .flatMap(part => assets.filter(name => name.startsWith(`texts-${part}-en-`) && name.endsWith('.js')))
      .map(name => `  <link rel="modulepreload" href="${basePath}/assets/${name}">\n  `)
      .join('')
  for (const [page, parts] of Object.entries(partsOf))
    pages.set(page, pages.get(page)?.replace('</head>', end => preloadsOf(parts) + end) ?? '')
  const htmlOf = (page: PageName) => pages.get(page) ?? ''
  const styles = (await stylesOf(htmlOf('misconfiguration'), client, basePath)) + branding.styles
  const inlined = await inlineStyles(htmlOf('index'), client, basePath, branding.styles)
  for (const [page, html] of pages) pages.set(page, page === 'index' ? inlined.html : branding.linkStyles(html))
  const fill = <Name extends PageName>(page: Name, props: PageProps[Name]) =>
    htmlOf(page)
      .replace('<!--app-->', () => renderPage(page, props, branding.logo))
      .replace(/(id="gatehouse-props">)null/, (_, start: string) => start + dataOf(page, props))
  // The page is the same for all visitors, so render it once.
  const headed = ({ destination, providerNotes }: SignInFacts) => ({
    base: basePath,
    providers,
    providerNotes,
    ...switchedOn,
    heading: { name: brand.name, destination },
  })
  const prepareSignIn = (facts: SignInFacts) => preparePage(fill('index', { ...headed(facts), page: { at: 'login' } }))
  const signIn = prepareSignIn({})
  // Compressing takes longer than rendering. Destinations are hosts of protected origins, and outages are rare, so there are few.
  const byFacts = new Map<string, PreparedPage>()
  const signInWith = (facts: SignInFacts) => {
    const key = JSON.stringify([facts.destination, Object.entries(facts.providerNotes ?? {}).sort()])
    const page = byFacts.get(key) ?? prepareSignIn(facts)
    if (byFacts.size < 100) byFacts.set(key, page)
    return page
  }
  const approve = fill('approve', undefined)
  const approveWorker = await readFile(join(client, 'approve-worker.js'), 'utf8')
  const misconfiguration = (props: MisconfigurationProps) => fill('misconfiguration', props)
  const inPlace = (html: string) => ({
    html: html.replaceAll(/\s*<link rel="(?:stylesheet|icon)"[^>]*>/g, '').replace('</head>', () => `<style>${styles}</style></head>`),
    policy: `default-src 'none'; ${branding.isPictured ? 'img-src data:; ' : ''}style-src 'sha256-${createHash('sha256').update(styles).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  })
  const titledIf = (wrong: boolean, html: string) => (wrong ? titled(html, errorInTitle) : html)
  return {
    assets: join(client, 'assets'),
    brandFiles: branding.files,
    ...rendering,
    languages: allLanguages(),
    /** The sign-in page before the first attempt. */
    signIn: (facts: SignInFacts) => (facts.destination || facts.providerNotes ? signInWith(facts) : signIn),
    signInWithResult: (props: Pick<AreaProps, 'page' | 'said'>, facts: SignInFacts) =>
      titledIf(isWrong(props), fill('index', { ...headed(facts), ...props })),
    /** Hashes of the styles in the sign-in page, for its policy. */
    signInStyles: [inlined.hash],
    /** Every other page of the sign-in area. */
    area: (props: WithoutBase<AreaProps>) => titledIf(isWrong(props), fill('area', { base: basePath, ...switchedOn, ...props })),
    account: (props: WithoutBase<AccountProps>) => fill('account', { ...props, base: basePath }),
    administration: (props: WithoutBase<AdministrationProps>) => fill('administration', { ...props, base: basePath }),
    misconfiguration,
    /**
     * The same page, and a notice, as the response of a check, which a proxy shows under another address. The page cannot load files from there, so it
     * contains its styles, and its policy allows nothing else.
     */
    misconfigurationInPlace: (props: MisconfigurationProps) => inPlace(misconfiguration(props)),
    noticeInPlace: (props: NoticeProps) => inPlace(fill('notice', props)),
    notice: (props: NoticeProps) => fill('notice', props),
    oneTimeLink: (props: WithoutBase<OneTimeLinkProps>) =>
      fill('one-time-link', { base: basePath, submitCodeWhenComplete: switchedOn.submitCodeWhenComplete, ...props }),
    newPassword: (props: WithoutBase<NewPasswordProps>) =>
      titledIf(props.begin?.is === 'GoodWithError', fill('new-password', { base: basePath, ...props })),
    newFactor: (props: WithoutBase<PageProps['new-factor']>) => fill('new-factor', { base: basePath, ...props }),
    confirmEmail: (props: WithoutBase<MailLinkProps<void>>) => fill('confirm-email', { base: basePath, ...props }),
    approve: () => approve,
    approveWorker: () => approveWorker,
    approveManifest: ({ name, description }: PageTexts['approver']) => ({
      id: `${basePath}/approve`,
      name: name(brand.name),
      short_name: brand.name,
      description,
      lang: 'en',
      start_url: `${basePath}/approve`,
      scope: `${basePath}/approve`,
      display: 'standalone',
      // The page's background in the light theme; the page itself sets the dark one.
      background_color: '#f5f6f8',
      theme_color: '#f5f6f8',
      icons: branding.icons ?? iconsOf(approve),
    }),
    recoveryCodes: (props: RecoveryCodesProps) => fill('recovery-codes', props),
    mailbox: (props: WithoutBase<MailboxProps>) => fill('mailbox', { ...props, base: basePath }),
  }
}

const isWrong = ({ page, said }: WithoutBase<AreaProps>): boolean => {
  const answered = page.at === 'approve-on-phone' ? page.asked?.status.challengeStatus : undefined
  return answered === 'Denied' || answered === 'Expired' || (said !== undefined && (!('sent' in said) || said.wrongCode === true))
}

/** Screen readers announce the title of a page that has loaded, but no alert that the page contains from the start. */
const titled = (html: string, errorInTitle: (title: string) => string) => {
  const [, title = ''] = /<title>([^<]*)/.exec(html) ?? []
  return html
    .replace(/(?<=<title>)[^<]*/, () => errorInTitle(title))
    .replace('</head>', end => `  <meta name="gatehouse-title" content="${title}">\n  ${end}`)
}

/** Inlines the styles, which saves a request before the first paint. */
const inlineStyles = async (html: string, client: string, basePath: string, ofBrand: string) => {
  const styles = (await stylesOf(html, client, basePath)) + ofBrand
  return {
    html: html.replaceAll(/\s*<link rel="stylesheet"[^>]*>/g, '').replace('</head>', () => `<style>${styles}</style>\n  </head>`),
    hash: `'sha256-${createHash('sha256').update(styles).digest('base64')}'`,
  }
}

/** The page's icons, for its web app manifest. The one for Apple's home screen fills its square, as maskable icons must. */
const iconsOf = (html: string) =>
  [...html.matchAll(/<link rel="(icon|apple-touch-icon)"[^>]* sizes="(\d+x\d+)"[^>]* href="([^"]+)"/g)].map(([, rel, sizes, src]) => ({
    src,
    sizes,
    type: 'image/png',
    purpose: rel === 'icon' ? 'any' : 'maskable',
  }))

/** The contents of a page's style sheets. */
const stylesOf = async (html: string, client: string, basePath: string): Promise<string> => {
  const hrefs = [...html.matchAll(/<link rel="stylesheet"[^>]*href="([^"]+)"/g)].map(([, href = '']) => href.slice(basePath.length))
  return (await Promise.all(hrefs.map(href => readFile(join(client, href), 'utf8')))).join('\n')
}
