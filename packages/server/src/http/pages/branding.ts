import { createHash } from 'node:crypto'
import { accentProperties } from '@gatehouse/wire/accent'
import type { PageLogo, Rendering } from '@gatehouse/wire/page-props'
import type { Brand } from '../../brand/brand.ts'

/** A file of the brand as browsers fetch it, by a name that changes with its content. */
export type ServedFile = { name: string; type: string; bytes: Buffer }

/** What a brand adds to every page. Without one, pages stay as they were built. */
export const createBranding = (brand: Brand, basePath: string, renderFrame: Rendering['renderFrame']) => {
  const frame = renderFrame(brand)
  const logo: PageLogo | undefined = brand.name === builtName ? undefined : { name: brand.name }
  const styles = accentStyles(brand) + frame.styles
  const sheet = styles ? served('brand', 'css', 'text/css; charset=utf-8', Buffer.from(styles)) : undefined

  return {
    logo,
    /** Every style of the brand, for pages that contain their styles. */
    styles,
    files: [sheet].filter(file => file !== undefined),
    /** Puts the brand into a built page, except for its styles. */
    dress: (html: string) =>
      html
        .replace(/(<title>(?:.* · )?)Gatehouse(?=<\/title>)/, (_, before: string) => before + escaped(brand.name))
        .replace('</head>', () => `${logo ? `  <meta name="gatehouse-logo" content="${escaped(JSON.stringify(logo))}">\n  ` : ''}</head>`)
        .replace('<div id="root"', start => frame.notice + start)
        .replace('</main>', end => end + frame.footer),
    /** Lets a page load the styles, after its own. */
    linkStyles: (html: string) =>
      sheet ? html.replace('</head>', `  <link rel="stylesheet" href="${basePath}${brandPath}${sheet.name}">\n  </head>`) : html,
  }
}

/** Outside of the layer of the built themes, so these values win. */
const accentStyles = ({ accent }: Brand) => {
  if (!accent) return ''
  const declarations = Object.entries(accentProperties(accent)).map(([name, value]) => `${name}:${value}`)
  return `:root{${declarations.join(';')}}`
}

/** Below the assets, which every proxy passes on already. */
export const brandPath = '/assets/brand/'

/** The name in the portal's HTML files and components. */
const builtName = 'Gatehouse'

const served = (name: string, extension: string, type: string, bytes: Buffer): ServedFile => {
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 8)
  return { name: `${name}-${hash}.${extension}`, type, bytes }
}

const marks: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string) => text.replace(/[&<>"]/g, mark => marks[mark] ?? '')
