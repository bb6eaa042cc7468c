import { directionOf } from '@gatehouse/language/text.ts'
import type { Accent, AccentColors } from '@gatehouse/wire/accent'
import type { Brand, BrandLinks } from '../brand/brand.ts'
import type { MailFrameTexts } from '../texts/mail-texts.ts'
import { type MailDirection, mailDirectionOf } from './mail-direction.ts'

/** A mail's content as plain text: the layout escapes it. */
export type MailBody = {
  title: string
  /** The user, service or protected origin that the mail is about, for the subject. */
  about?: string
  /** Shown after the subject in a list of mails. */
  preview: string
  paragraphs: string[]
  /** `note` says how long the link lasts. */
  action?: { label: string; link: string; note: string }
  /** A secret to type. */
  code?: { label: string; value: string; note: string }
  facts?: [label: string, value: string][]
  /** Advice on what to do next; with `visit`, the product's address follows. */
  advice: { title: string; text: string; visit?: boolean }
}

/**
 * The product's name and public address, and the links and colors of every mail. Many mail programs would not show an operator's logo, so
 * the name stands alone.
 */
export type Product = { name: string; url: string; links?: BrandLinks; accent?: Accent | undefined; hasOwnLogo?: boolean }

/** The parts of a brand that mails show. */
export const productOf = ({ name, links, accent, files }: Brand) => ({ name, links, accent, hasOwnLogo: files.logo !== undefined })

/** The language of a mail: its tag and the texts around the content. */
export type MailLanguage = { tag: string; frame: MailFrameTexts }

export const linksOf = ({ links = {} }: Product, frame: MailFrameTexts): [label: string, address: string][] =>
  (['help', 'privacy', 'imprint'] as const).flatMap(kind => (links[kind] ? [[frame[kind], links[kind]]] : []))

const marks: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string) => text.replace(/[&<>"']/g, mark => marks[mark] ?? '')

const font = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif"
const codeFont = "font-family:ui-monospace,'SF Mono','Cascadia Mono',Menlo,Consolas,monospace"

type MailColors = Pick<AccentColors, 'fill' | 'edge' | 'on' | 'link'>

/** The themes' colors (theme.css in packages/ui), used when the operator sets no accent. */
const ownColors: Record<'light' | 'dark', MailColors> = {
  light: { fill: '#2f55d4', edge: '#2f55d4', on: '#ffffff', link: '#2a4fc9' },
  dark: { fill: '#4668ee', edge: '#4668ee', on: '#ffffff', link: '#9db5ff' },
}

/** The widget's dark colors. The light ones are in the style attributes, because mail programs support no custom properties. */
const darkStyles = ({ fill, edge, on, link }: MailColors): [selector: string, style: string][] => [
  ['.page', 'background-color:#0c0f14 !important'],
  ['.card', 'background-color:#141820 !important;border-color:#262c37 !important'],
  ['.soft', 'background-color:#0f131a !important;border-color:#2a313d !important'],
  ['.line', 'border-color:#2a313d !important'],
  ['.text', 'color:#e9ecf2 !important'],
  ['.quiet', 'color:#9ba4b5 !important'],
  ['.link', `color:${link} !important`],
  ['.button', `background-color:${fill} !important;border-color:${edge} !important`],
  ['.label', `color:${on} !important`],
  ['.stone', 'background-color:#e9ecf2 !important'],
  ['.lit', 'background-color:#ffc55c !important'],
]
const rules = (colors: MailColors, prefix: string) =>
  darkStyles(colors)
    .map(([selector, style]) => `${prefix}${selector}{${style}}`)
    .join('\n')

/**
 * Outlook on the web sets an attribute on an ancestor instead of matching the media query. Each rule set has its own sheet, because some
 * mail programs drop a sheet with a rule they do not know.
 */
const styleSheets = (dark: MailColors) => [
  ':root{color-scheme:light dark;supported-color-schemes:light dark}',
  `@media (max-width:599px){
.page-cell{padding:20px 12px !important}
.card-cell{padding:28px 20px !important}
.wide{width:100% !important}
}`,
  `@media (prefers-color-scheme:dark){
${rules(dark, '')}
}`,
  rules(dark, '[data-ogsc] '),
]

const layoutTable = 'role="presentation" cellpadding="0" cellspacing="0" border="0"'

/**
 * The gate arch of the pages, built from a table cell: many mail programs load images only on request. Programs without rounded corners
 * show a square gate.
 */
const logo = `<table ${layoutTable} width="24" aria-hidden="true" style="width:24px;font-size:0;line-height:0">
<tr><td class="stone" width="24" height="24" align="center" valign="bottom" bgcolor="#161a22" style="background-color:#161a22;border-radius:12px 12px 0 0"><div class="card" style="width:12px;height:18px;margin:0 auto;background-color:#ffffff;border-radius:6px 6px 0 0"><div style="height:1.5px"></div><div class="lit" style="width:9px;height:16.5px;margin:0 auto;background-color:#f0a92b;border-radius:4.5px 4.5px 0 0"></div></div></td></tr>
</table>`

const paragraph = (content: string, style = 'margin:0 0 16px') =>
  `<p class="text" style="${style};color:#161a22;font-size:15px;line-height:24px">${content}</p>`

const link = (address: string, tone: { name: string; color: string }, { ltr }: MailDirection, style = '') =>
  `<a class="${tone.name}"${ltr} href="${escaped(address)}" style="color:${tone.color};text-decoration:underline;word-break:break-all;${style}">${escaped(address)}</a>`

const button = (label: string, address: string, { fill, edge, on }: MailColors) => `
<table class="wide" ${layoutTable} style="margin:24px 0 20px">
<tr><td class="button" align="center" bgcolor="${fill}" style="background-color:${fill};border-radius:8px">
<a class="button label" href="${escaped(address)}" style="display:block;padding:11px 24px;border:1px solid ${edge};border-radius:8px;color:${on};font-size:15px;font-weight:600;line-height:20px;text-decoration:none">${escaped(label)}</a>
</td></tr>
</table>`

const quiet = (content: string, style = 'margin:0 0 8px') =>
  `<p class="quiet" style="${style};color:#5a6272;font-size:13px;line-height:20px">${content}</p>`

const footerLinks = (product: Product, frame: MailFrameTexts) => {
  const links = linksOf(product, frame).map(
    ([label, address]) =>
      `<a class="quiet" href="${escaped(address)}" style="color:#5a6272;text-decoration:underline">${escaped(label)}</a>`,
  )
  return links.length > 0 ? `\n${quiet(links.join(' &nbsp;·&nbsp; '), 'margin:8px 0 0')}` : ''
}

const actionPart = (
  action: NonNullable<MailBody['action']>,
  frame: MailFrameTexts,
  light: MailColors,
  direction: MailDirection,
) => `${button(action.label, action.link, light)}
${quiet(escaped(action.note), 'margin:0 0 16px')}
${quiet(escaped(frame.withoutButton))}
<div class="soft"${direction.ltrBox} style="padding:10px 12px;background-color:#f5f6f8;border:1px solid #e2e5ea;border-radius:8px;font-size:13px;line-height:20px">${link(action.link, { name: 'link', color: light.link }, direction, codeFont)}</div>`

const codePart = (code: NonNullable<MailBody['code']>, { ltrBox }: MailDirection) => `
${paragraph(escaped(code.label), 'margin:24px 0 8px')}
<div class="soft text"${ltrBox} style="padding:14px 16px;background-color:#f5f6f8;border:1px solid #e2e5ea;border-radius:8px;${codeFont};color:#161a22;font-size:28px;line-height:36px;letter-spacing:0.08em">${escaped(code.value)}</div>
${quiet(escaped(code.note), 'margin:8px 0 0')}`

const factsPart = (facts: NonNullable<MailBody['facts']>, { start, padding, isolated }: MailDirection) => `
<table class="soft" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:24px 0 0;background-color:#f5f6f8;border:1px solid #e2e5ea;border-radius:8px;border-collapse:separate">
${facts
  .map(
    ([label, value], at) => `<tr>
<th class="quiet line" scope="row" align="${start}" valign="top" style="width:88px;${padding('10px', '8px', '10px', '16px')};${at ? 'border-top:1px solid #e2e5ea;' : ''}color:#5a6272;font-size:13px;font-weight:400;line-height:20px;text-align:${start}">${escaped(label)}</th>
<td class="text line" valign="top" style="${padding('10px', '16px', '10px', '8px')};${at ? 'border-top:1px solid #e2e5ea;' : ''}color:#161a22;font-size:13px;line-height:20px;overflow-wrap:anywhere;word-break:break-word">${escaped(isolated(value))}</td>
</tr>`,
  )
  .join('\n')}
</table>`

/**
 * Lays a mail out as HTML: tables and style attributes for old mail programs, and nothing loaded from outside. Lists of mails show the
 * hidden first line; the invisible characters after it keep the mail's text out of the list.
 */
export const htmlOf = (body: MailBody, product: Product, { tag, frame }: MailLanguage) => {
  const { action, code, facts, advice } = body
  const direction = mailDirectionOf(tag)
  const { start, padding, spacing } = direction
  const { light, dark } = product.accent ?? ownColors
  return `<!doctype html>
<html lang="${tag}" dir="${directionOf(tag)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no">
<meta name="x-apple-disable-message-reformatting">
<title>${escaped(body.title)}</title>
${styleSheets(dark)
  .map(
    sheet => `<style>
${sheet}
</style>`,
  )
  .join('\n')}
</head>
<body class="page" style="margin:0;padding:0;background-color:#f5f6f8;-webkit-text-size-adjust:100%">
<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">${escaped(body.preview)}${'&#847;&zwnj;&nbsp;'.repeat(60)}</div>
<table class="page" ${layoutTable}${direction.page} width="100%" bgcolor="#f5f6f8" style="background-color:#f5f6f8">
<tr><td class="page-cell" align="center" style="padding:40px 20px;${font}">
<!--[if mso]><table ${layoutTable} width="560"><tr><td><![endif]-->
<table ${layoutTable} width="100%" style="max-width:560px">
<tr><td class="card card-cell" bgcolor="#ffffff" style="padding:36px 40px;background-color:#ffffff;border:1px solid #e2e5ea;border-radius:14px;${font};text-align:${start}">
<table ${layoutTable} style="margin:0 0 28px">
<tr>${product.hasOwnLogo ? '' : `<td valign="middle" style="${padding('0', '10px', '0', '0')}">${logo}</td>`}<td class="text" valign="middle" style="color:#161a22;font-size:16px;font-weight:600;line-height:24px${spacing('-0.01em')}">${escaped(product.name)}</td></tr>
</table>
<h1 class="text" style="margin:0 0 12px;color:#161a22;font-size:22px;font-weight:600;line-height:29px${spacing('-0.01em')};overflow-wrap:anywhere">${escaped(body.title)}</h1>
${body.paragraphs.map((text, at) => paragraph(escaped(text), at ? 'margin:12px 0 0' : 'margin:0')).join('\n')}
${action ? actionPart(action, frame, light, direction) : ''}${code ? codePart(code, direction) : ''}${facts ? factsPart(facts, direction) : ''}
<div class="line" style="margin:28px 0 0;padding:20px 0 0;border-top:1px solid #e2e5ea">
<h2 class="text" style="margin:0 0 4px;color:#161a22;font-size:15px;font-weight:600;line-height:24px">${escaped(advice.title)}</h2>
${paragraph(escaped(advice.text), 'margin:0')}
${advice.visit ? paragraph(link(product.url, { name: 'link', color: light.link }, direction), 'margin:4px 0 0') : ''}
</div>
</td></tr>
<tr><td align="center" style="padding:20px 20px 0;${font}">
${quiet(`${escaped(frame.sentBy(product.name))}<br>${link(product.url, { name: 'quiet', color: '#5a6272' }, direction)}`, 'margin:0')}${footerLinks(product, frame)}
</td></tr>
</table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr>
</table>
</body>
</html>
`
}
