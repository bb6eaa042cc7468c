import { createHash } from 'node:crypto'
import type { PageLogo } from '@gatehouse/wire/page-props'
import type { Brand, BrandFile } from '../../brand/brand.ts'
import { writeBrandSheet } from '../../brand/brand-sheet.ts'

export type Branding = ReturnType<typeof createBranding>

/**
 * Adds the brand's logo, icons and styles to every page, but not its texts. Without a brand,
 * pages get only `frameStyles`.
 * @param frameStyles the styles of the notice and of the footer that surround each page's content
 */
export const createBranding = (brand: Brand, basePath: string, frameStyles: string) => {
  const { logo: picture, favicon, icon } = brand.files
  const logo = logoOf(brand)
  const files = new Map<string, BrandFile>()
  /** Serves a file under a name that changes with its content. */
  const addressOf = (file: BrandFile) => {
    const [, name, extension] = /^(.*)\.(\w+)$/.exec(file.name) ?? []
    const hash = createHash('sha256').update(file.bytes).digest('base64url').slice(0, 8)
    files.set(`${name}-${hash}.${extension}`, file)
    return `${basePath}${brandPath}${name}-${hash}.${extension}`
  }
  const styles = frameStyles + writeBrandSheet(brand, addressOf)
  const sheet = styles && addressOf({ name: 'brand.css', type: 'text/css; charset=utf-8', bytes: Buffer.from(styles) })
  const icons = [
    ...(favicon ? [{ src: addressOf(favicon), sizes: 'any', type: favicon.type, purpose: 'any' }] : []),
    ...(icon ? [{ src: addressOf(icon), sizes: `${icon.width}x${icon.height}`, type: icon.type, purpose: 'maskable' }] : []),
  ]

  const head = logo ? `  <meta name="gatehouse-logo" content="${escaped(JSON.stringify(logo))}">\n  ` : ''

  /** The operator's favicon replaces all our icons. The operator's home-screen icon replaces all our PNG icons. */
  const withIcons = (html: string) => {
    let page = html
    if (favicon)
      page = page.replace(/(?<=<link rel="icon" type=")image\/svg\+xml" href="[^"]+/, () => `${favicon.type}" href="${addressOf(favicon)}`)
    if (icons.length > 0) page = page.replaceAll(/ *<link rel="(icon" type="image\/png|apple-touch-icon)"[^>]*>\n/g, '')
    if (icon && html.includes('apple-touch-icon'))
      page = page.replace('</head>', `  <link rel="apple-touch-icon" href="${addressOf(icon)}">\n  </head>`)
    return page
  }

  return {
    logo,
    /** All styles of the brand, for pages with inline styles. */
    styles,
    files,
    /** The operator's icons for the web app manifest, if there are any. */
    icons: icons.length > 0 ? icons : undefined,
    /** Whether styles contain a picture. */
    isPictured: picture !== undefined,
    /** HTML for the end of the head. */
    head,
    /** Puts the logo and the icons into a built page. */
    dress: (html: string) => withIcons(html).replace('</head>', end => head + end),
    /** Lets a page load the styles, after its own. */
    linkStyles: (html: string) => (sheet ? html.replace('</head>', `  <link rel="stylesheet" href="${sheet}">\n  </head>`) : html),
  }
}

const logoOf = ({ name, files }: Brand): PageLogo | undefined => {
  if (files.logo) return { name, isPicture: true }
  return name === builtName ? undefined : { name }
}

/** The path is below that of the assets, which every proxy already forwards to this server. */
export const brandPath = '/assets/brand/'

/** The product's name in the portal's HTML files and components, which the brand's name replaces. */
const builtName = 'Gatehouse'

const marks: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
/** Escapes a text for HTML content and attribute values. */
export const escaped = (text: string) => text.replace(/[&<>"]/g, mark => marks[mark] ?? '')
