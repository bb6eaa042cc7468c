import { accentProperties } from '@gatehouse/wire/accent'
import type { Brand, BrandFile, Picture } from './brand.ts'

/**
 * Writes the brand as a style sheet. The built themes are in a cascade layer and this sheet is not, so its values win. The operator's own
 * rules come last.
 * @param addressOf where pages load a file from
 */
export const writeBrandSheet = ({ accent, files }: Brand, addressOf: (file: BrandFile) => string): string => {
  const { logo, logoDark, background, styles } = files
  return [
    accent && rule(':root', accentProperties(accent)),
    logo && rule('.brand-logo', { display: 'block', 'print-color-adjust': 'exact', ...pictured(logo) }),
    logoDark && `@media (prefers-color-scheme:dark){${rule('.brand-logo', pictured(logoDark))}}`,
    background && backgroundRules(addressOf(background)),
    styles?.loads.reduce((text, { placeholder, file }) => text.replaceAll(placeholder, addressOf(file)), styles.text),
  ]
    .filter(part => part !== undefined)
    .join('')
}

const rule = (selector: string, declarations: Record<string, string>) =>
  `${selector}{${Object.entries(declarations)
    .map(([name, value]) => `${name}:${value}`)
    .join(';')}}`

/** The maximum size of a logo, in pixels: half the width of a card, and slightly less than the height of a button. */
const room = { width: 200, height: 36 }

/** Embeds the logo, so it needs no request, and sets its size, so the page does not shift when the logo appears. */
const pictured = (picture: Picture) => {
  const scale = Math.min(room.width / picture.width, room.height / picture.height)
  return {
    width: `${Math.round(picture.width * scale)}px`,
    'max-width': '100%',
    height: `${Math.round(picture.height * scale)}px`,
    background: `url("${dataAddress(picture)}") 0/contain no-repeat`,
  }
}

/** Percent-encodes only characters that are reserved in CSS, HTML or URLs, because plain text compresses better. */
const dataAddress = ({ type, bytes }: Picture) =>
  `data:${type},${bytes.toString('utf8').replaceAll(/[^ !$&-;=?-[\]^_a-z|~]/gu, character => encodeURIComponent(character))}`

/** Pages with wide content show no background picture. Neither do phones, where the card fills the page. */
const cardPage = 'body:not([data-page=account],[data-page=administration],[data-page=mailbox])'
const signInPage = 'body[data-page=sign-in]'

/**
 * With scripting, the sign-in page loads the background after everything that its form needs. In the dark theme, a dark overlay keeps the
 * background from being the brightest thing on the screen. Texts outside the card get a separate background, because the picture can have
 * any color.
 */
const backgroundRules = (address: string) => {
  const shown = {
    background: `linear-gradient(light-dark(transparent,rgb(12 15 20/78%)) 0 0) fixed,var(--gatehouse-page) url("${address}") center/cover no-repeat fixed`,
  }
  const plates = `${cardPage} :is(.gatehouse-frame-notice,body>footer)`
  return [
    '@media (min-width:480px){',
    rule(`${cardPage}:not([data-page=sign-in]),html[data-gatehouse-loaded] ${signInPage}`, shown),
    rule(plates, {
      width: 'fit-content',
      'margin-inline': 'auto',
      padding: '6px 16px',
      background: 'var(--gatehouse-card)',
      'border-radius': '14px',
    }),
    rule(`${cardPage} body>footer`, { 'margin-bottom': '24px' }),
    `@media (scripting:none){${rule(signInPage, shown)}}`,
    '}',
  ].join('')
}
