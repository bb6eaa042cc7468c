import { createRequire } from 'node:module'
import type * as saxes from 'saxes'

/** Loaded with the first SVG of a brand. */
const xml = (): typeof saxes => createRequire(import.meta.url)('saxes')

const svgNamespace = 'http://www.w3.org/2000/svg'
const xhtmlNamespace = 'http://www.w3.org/1999/xhtml'

/** Elements that run scripts, embed other documents, or contain HTML. */
const active = new Set(['script', 'foreignobject', 'handler', 'listener', 'iframe', 'embed', 'object', 'audio', 'video', 'canvas'])

/** References that an SVG may contain: parts of itself, and embedded pictures. */
const contained = /^\s*(#|data:image\/(png|jpeg|gif|webp|avif);)/i

class Unfit extends Error {}

/**
 * Checks that an SVG is a picture and nothing more. Browsers run no script in an SVG that a page shows as a picture. The check also
 * protects users who open the file by its address, and reports what browsers would not show.
 * @returns its size, or the problem as the end of a sentence that begins with the file's name
 */
export const readSvg = (bytes: Buffer): { width: number; height: number } | string => {
  try {
    return parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    if (error instanceof Unfit) return error.message
    if (error instanceof TypeError) return 'is not UTF-8 text'
    return `is not well-formed XML (${error instanceof Error ? error.message : error})`
  }
}

const parse = (text: string) => {
  const parser = new (xml().SaxesParser)({ xmlns: true })
  let size: { width: number; height: number } | undefined
  const open: string[] = []
  parser.on('error', error => {
    throw error
  })
  // Entities can expand to gigabytes. A document type without its own declarations has none.
  parser.on('doctype', doctype => {
    if (doctype.includes('[')) throw new Unfit('declares entities in its DOCTYPE; remove the part in brackets')
  })
  parser.on('processinginstruction', ({ target }) => {
    throw new Unfit(`contains a processing instruction (${target}); remove it`)
  })
  parser.on('opentag', ({ local, uri, attributes }) => {
    if (open.length === 0) {
      if (local !== 'svg' || uri !== svgNamespace)
        throw new Unfit(`is not an SVG: its root element is not svg in the namespace ${svgNamespace}`)
      size = sizeOf(name => attributes[name]?.value)
    }
    if (uri === xhtmlNamespace || active.has(local.toLowerCase())) throw new Unfit(`contains the element ${local}; remove it`)
    for (const attribute of Object.values(attributes)) checkAttribute(attribute)
    open.push(local)
  })
  parser.on('closetag', () => void open.pop())
  const checkStyles = (content: string) => {
    if (open.at(-1) === 'style') checkCss(content)
  }
  parser.on('text', checkStyles)
  parser.on('cdata', checkStyles)
  parser.write(text).close()
  if (!size) throw new Unfit('has neither a viewBox nor a width and a height in pixels')
  return size
}

const checkAttribute = ({ name, local, value, uri }: { name: string; local: string; value: string; uri: string }) => {
  const lower = local.toLowerCase()
  if (uri === '' && lower.startsWith('on')) throw new Unfit(`contains the attribute ${name}; remove it`)
  if (lower === 'base' && name.includes(':')) throw new Unfit(`contains the attribute ${name}; remove it`)
  if (lower === 'attributename' && /^\s*(on|(xlink:)?href)/i.test(value)) throw new Unfit(`animates ${value}; remove that`)
  if ((lower === 'href' || lower === 'src') && !contained.test(value)) throw new Unfit(`loads ${shortened(value)}; put it into the file`)
  if (name !== 'xmlns' && !name.startsWith('xmlns:')) checkCss(value)
}

/** CSS escapes could hide `url()` from this check. No picture needs them. */
const checkCss = (css: string) => {
  if (/@import/i.test(css)) throw new Unfit('contains @import; remove it')
  if (/\\/.test(css) && /\\[\s\S]*\(/.test(css)) throw new Unfit('contains escaped characters in a style; write them as they are')
  for (const [, address = ''] of css.matchAll(/(?:url|image|src)\(\s*["']?([^"')]*)/gi))
    if (!contained.test(address)) throw new Unfit(`loads ${shortened(address)}; put it into the file`)
}

const sizeOf = (attribute: (name: string) => string | undefined) => {
  const [, , ...box] = (attribute('viewBox') ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number)
  const [width, height] =
    box.length === 2 ? box : ['width', 'height'].map(name => Number(attribute(name)?.replace(/px$/, '') ?? Number.NaN))
  return width && height && width > 0 && height > 0 && Number.isFinite(width / height) ? { width, height } : undefined
}

const shortened = (text: string) => (text.length > 60 ? `${text.slice(0, 60)}…` : text || 'an empty address')
