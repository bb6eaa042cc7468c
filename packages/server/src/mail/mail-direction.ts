import { directionOf } from '@gatehouse/language/text.ts'

/**
 * What depends on the direction of the language. Many mail programs drop the attributes of `html` and `body`, and do not support logical
 * properties, so the outer table has the direction, and each style names a side.
 */
export type MailDirection = {
  /** An attribute of the outer table. */
  page: string
  /** An attribute of text that always runs from left to right: addresses and codes. */
  ltr: string
  /** The attributes of a box with an address or a code. */
  ltrBox: string
  start: 'left' | 'right'
  /** Arabic letters join, so they take no extra space. */
  spacing: (em: string) => string
  /** Sides in the order of CSS: top, end, bottom, start. */
  padding: (top: string, end: string, bottom: string, start: string) => string
  /** Isolates a value, so that its direction does not reorder the words around it. */
  isolated: (value: string) => string
}

const leftToRight: MailDirection = {
  page: '',
  ltr: '',
  ltrBox: '',
  start: 'left',
  spacing: em => `;letter-spacing:${em}`,
  padding: (top, end, bottom, start) => `padding:${top} ${end} ${bottom} ${start}`,
  isolated: value => value,
}

const rightToLeft: MailDirection = {
  page: ' dir="rtl"',
  ltr: ' dir="ltr"',
  ltrBox: ' dir="ltr" align="left"',
  start: 'right',
  spacing: () => '',
  padding: (top, end, bottom, start) => `padding:${top} ${start} ${bottom} ${end}`,
  isolated: value => `\u2068${value}\u2069`,
}

export const mailDirectionOf = (tag: string): MailDirection => (directionOf(tag) === 'rtl' ? rightToLeft : leftToRight)
