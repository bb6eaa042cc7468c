import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { directionOf } from '@gatehouse/language/text.ts'
import type { SsoProviderName } from '@gatehouse/wire'
import { type AreaProps, type PageName, type PagesInLanguage, pagePaths, type Rendering } from '@gatehouse/wire/page-props'
import type { Brand } from '../../brand/brand.ts'
import { createBranding, escaped } from './branding.ts'
import { createPagesInLanguage } from './pages-in-language.ts'
import { type PreparedPage, preparePage } from './prepared-page.ts'

/** The output of the portal's build: HTML files, their assets, and a module that renders pages. */
export type BuiltPages = Awaited<ReturnType<typeof loadBuiltPages>>

/** The pages in one language. */
export type LocalizedPages = ReturnType<BuiltPages['in']>

/** The language page. A proxy that forwards the token page forwards the language page as well. */
const [languagesPath] = pagePaths.languages

/**
 * Pages without a link to the language page: that page itself, and pages that the browser cannot
 * load again. The token of a mailed link is in the fragment, which no server sees. Recovery codes
 * are shown only once.
 */
const withoutSwitch: ReadonlySet<PageName> = new Set([
  'one-time-link',
  'new-password',
  'new-factor',
  'confirm-email',
  'recovery-codes',
  'languages',
])

/** The most sign-in pages in memory. Each language has few: one for each protected host, and some for rare outages of providers. */
const mostPrepared = 200

/**
 * Loads the built pages.
 * @param folder the portal's `dist`
 * @param basePath path of the public address, without a trailing slash
 * @param shown the single sign-on providers that the sign-in page offers, in this order
 * @param options whether the pages offer passkeys, and send a code as soon as it has six digits
 * @param language the language whose sign-in page is prepared at the start
 * @param among the languages that users can choose. Default: all
 */
export const loadBuiltPages = async (
  folder: string,
  basePath: string,
  shown: readonly SsoProviderName[],
  brand: Brand,
  options: Pick<AreaProps, 'passkeys' | 'submitCodeWhenComplete'> = {},
  { language = 'en', among }: { language?: string; among?: Rendering['languages'] | undefined } = {},
) => {
  const client = join(folder, 'client')
  const built: { rendering: Rendering } = await import(pathToFileURL(join(folder, 'render.js')).href)
  const { rendering } = built
  const languages = among ?? rendering.languages
  const nameOf = (tag: string) => languages.find(language => language.tag === tag)?.name ?? tag
  const frameIn = (tag: string, hasSwitch: boolean) =>
    rendering.in(tag).renderFrame({
      ...brand,
      ...(hasSwitch && languages.length > 1 && { language: { name: nameOf(tag), href: basePath + languagesPath } }),
    })
  const branding = createBranding(brand, basePath, frameIn('en', true).styles)
  const read = async (page: string): Promise<[string, string]> => {
    const html = await readFile(join(client, `${page}.html`), 'utf8')
    if (!html) throw new Error(`the built page ${page}.html is empty`)
    return [page, branding.dress(html.replaceAll(/\n\s+/g, '\n').replaceAll('="./', `="${basePath}/`))]
  }
  const pages = new Map(await Promise.all(Object.keys(pagePaths).map(read)))
  const styles = (await stylesOf(pages.get('misconfiguration') ?? '', client, basePath)) + branding.styles
  const inlined = await inlineStyles(pages.get('index') ?? '', client, basePath, branding.styles)
  for (const [page, html] of pages) pages.set(page, page === 'index' ? inlined.html : branding.linkStyles(html))
  const assets = await readdir(join(client, 'assets'))
  const approveWorker = await readFile(join(client, 'approve-worker.js'), 'utf8')

  /** Lets a page load its texts together with its script. */
  const preloadsOf = (page: PageName, tag: string, { partsOf }: PagesInLanguage) =>
    partsOf[page]
      .flatMap(part => assets.filter(name => name.startsWith(`texts-${part}-${tag}-`) && name.endsWith('.js')))
      .map(name => `\n    <link rel="modulepreload" href="${basePath}/assets/${name}">`)
      .join('')

  const withSwitch = (page: PageName) => !withoutSwitch.has(page)

  /** The HTML files in a language, without their content. */
  const createShells = (tag: string, texts: PagesInLanguage) => {
    const titles: Readonly<Partial<Record<PageName, string>>> = texts.titles
    const direction = directionOf(tag)
    const shells = new Map<string, string>()
    const write = (page: PageName, hasSwitch: boolean) => {
      const frame = frameIn(tag, hasSwitch)
      const title = titles[page]
      return (
        (pages.get(page) ?? '')
          .replace('<html lang="en"', `<html lang="${tag}"${direction === 'rtl' ? ' dir="rtl"' : ''}`)
          .replace(/(?<=<title>)[^<]*/, () => escaped(title === undefined ? brand.name : `${title} · ${brand.name}`))
          .replace(/(?<=<noscript><p>)[^<]*/, () => escaped(texts.approverNeedsScript))
          // The brand's styles stay at the end of the head.
          .replace(/(?=\s*<link rel="stylesheet")|(?=<\/head>)/, () => preloadsOf(page, tag, texts))
          .replace('<div id="root"', start => frame.notice + start)
          .replace('</main>', end => end + frame.footer)
      )
    }
    return (page: PageName, hasSwitch: boolean) => {
      const key = `${page} ${hasSwitch}`
      const shell = shells.get(key) ?? write(page, hasSwitch)
      shells.set(key, shell)
      return shell
    }
  }

  const byFacts = new Map<string, PreparedPage>()
  const prepared = (key: string, write: () => string): PreparedPage => {
    const page = byFacts.get(key) ?? preparePage(write())
    if (byFacts.size < mostPrepared) byFacts.set(key, page)
    return page
  }
  const inPlace = (html: string) => ({
    html: html.replaceAll(/\s*<link rel="(?:stylesheet|icon)"[^>]*>/g, '').replace('</head>', () => `<style>${styles}</style></head>`),
    policy: `default-src 'none'; ${branding.isPictured ? 'img-src data:; ' : ''}style-src 'sha256-${createHash('sha256').update(styles).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  })
  const shared = {
    basePath,
    name: brand.name,
    branding,
    languages,
    // Omit the prop for the widget's default.
    providers: shown.join() === 'google,azure,pak' ? undefined : shown,
    options: { passkeys: options.passkeys || undefined, submitCodeWhenComplete: options.submitCodeWhenComplete || undefined },
    inPlace,
    prepared,
  }
  const create = (tag: string) => {
    const texts = rendering.in(tag)
    const shellOf = createShells(tag, texts)
    const language = { tag, rendering: texts }
    return {
      lasting: createPagesInLanguage(language, (page, isInPlace) => shellOf(page, !isInPlace && withSwitch(page)), shared),
      once: createPagesInLanguage(language, page => shellOf(page, false), shared),
    }
  }
  const made = new Map<string, ReturnType<typeof create>>()
  /**
   * The pages in a language, or in English if the server lacks that language.
   * @param how `once` for a page that the browser cannot load again, such as the response to a form.
   * Such a page has no link to the language page
   */
  const inLanguage = (tag: string, how: 'lasting' | 'once' = 'lasting') => {
    const known = languages.some(language => language.tag === tag) ? tag : 'en'
    const pages = made.get(known) ?? create(known)
    made.set(known, pages)
    return pages[how]
  }
  inLanguage(language).signIn({})
  const { afterLogin, afterFactor, afterReset } = rendering.in(language)
  return {
    assets: join(client, 'assets'),
    brandFiles: branding.files,
    afterLogin,
    afterFactor,
    afterReset,
    languages,
    /** Whether pages have a link to the language page. */
    hasSwitch: languages.length > 1,
    in: inLanguage,
    /** Hashes of the styles in the sign-in page, for its policy. */
    signInStyles: [inlined.hash],
    approveWorker: () => approveWorker,
  }
}

/** Inlines the styles, which saves a request before the first paint. */
const inlineStyles = async (html: string, client: string, basePath: string, ofBrand: string) => {
  const styles = (await stylesOf(html, client, basePath)) + ofBrand
  return {
    html: html.replaceAll(/\s*<link rel="stylesheet"[^>]*>/g, '').replace('</head>', () => `<style>${styles}</style>\n  </head>`),
    hash: `'sha256-${createHash('sha256').update(styles).digest('base64')}'`,
  }
}

/** The contents of a page's style sheets. */
const stylesOf = async (html: string, client: string, basePath: string): Promise<string> => {
  const hrefs = [...html.matchAll(/<link rel="stylesheet"[^>]*href="([^"]+)"/g)].map(([, href = '']) => href.slice(basePath.length))
  return (await Promise.all(hrefs.map(href => readFile(join(client, href), 'utf8')))).join('\n')
}
