import { isIP } from 'node:net'
import type { FactTexts } from '../texts/mail-texts.ts'
import { deviceOf } from '../visitors/device.ts'

/*
 * Values in a mail that an attacker can choose: a name, an address, a User-Agent. None of them may become a header or a link (attack A19).
 * The layout escapes them for HTML.
 */

/** An address that mail programs turn into a link to that email address, never into a link to a website. */
const plainAddress = /^(?!www\.)[\p{L}\p{N}_+-]+(?:\.[\p{L}\p{N}_+-]+)*@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+$/iu

/** The longest value in a mail, in code points: with its label it fits on one line. */
const longest = 64

/**
 * Removes line breaks and invisible characters, which could break a header or reverse the reading direction. Removes isolates (U+2066 to
 * U+2069) without a space in their place: right-to-left texts have them around values, and a space would show.
 */
export const oneLine = (value: string) =>
  value
    .replace(/[\u2066-\u2069]/g, '')
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .trim()

/** Keeps the end, because the end of an address names its domain. */
const shortened = (value: string) => {
  const points = [...value]
  return points.length <= longest ? value : [...points.slice(0, 40), '…', ...points.slice(-(longest - 41))].join('')
}

/** Inserts invisible word joiners, so that mail programs do not turn plain text into links. */
const unlinked = (value: string) => value.replace(/:(?=\/)|\/(?=\/)|[.。．｡](?=[\p{L}\p{M}\p{N}])/gu, '$&\u2060')

export const printed = (value: string) => {
  const line = oneLine(value)
  return shortened(plainAddress.test(line) ? line : unlinked(line))
}

/** Prints an IP address without its zone, which is free text. */
export const printedIp = (value: string, { unknownAddress }: FactTexts) => {
  const ip = value.split('%', 1)[0] ?? ''
  return isIP(ip) === 0 ? unknownAddress : ip
}

/** `Firefox on Linux`: uses only our own words, because an attacker chooses the header. */
export const printedBrowser = (userAgent: string, { browserOn, unknownBrowser }: FactTexts) => {
  const { browser, system } = deviceOf(userAgent)
  if (!browser) return unknownBrowser
  return system ? browserOn(browser, system) : browser
}
