import { isIP } from 'node:net'
import { deviceOf } from '../visitors/device.ts'

/*
 * What strangers can choose (a name, an address, a browser's own words) on its way into a mail. None of it may become
 * markup, a header or something to press: attack A19. Escaping for HTML is the layout's part.
 */

/** The address of an account, as the mail programs may link it: to write to, nothing else. */
const plainAddress = /^(?!www\.)[\p{L}\p{N}_+-]+(?:\.[\p{L}\p{N}_+-]+)*@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+$/iu

/** Longest value in a mail, in code points: with its label it still fits a line. */
const longest = 64

/** One line without control, format or other invisible characters, which could break a header or turn the reading direction. */
export const oneLine = (value: string) => value.replace(/[\p{C}\p{Z}]+/gu, ' ').trim()

/** The end stays, because the end of an address says whose it is. */
const shortened = (value: string) => {
  const points = [...value]
  return points.length <= longest ? value : [...points.slice(0, 40), '…', ...points.slice(-(longest - 41))].join('')
}

/** Word joiners, which nobody sees, keep a mail program from finding an address of the web in plain words. */
const unlinked = (value: string) => value.replace(/:(?=\/)|\/(?=\/)|[.。．｡](?=[\p{L}\p{M}\p{N}])/gu, '$&\u2060')

/** A value as a mail may print it. */
export const printed = (value: string) => {
  const line = oneLine(value)
  return shortened(plainAddress.test(line) ? line : unlinked(line))
}

/** An IP address. Its zone is free text and left out. */
export const printedIp = (value: string) => {
  const ip = value.split('%', 1)[0] ?? ''
  return isIP(ip) === 0 ? 'Unknown' : ip
}

/** `Firefox on Linux`: words of ours only, whatever the header held. */
export const printedBrowser = (userAgent: string) => {
  const { browser, system } = deviceOf(userAgent)
  if (!browser) return 'An unknown browser'
  return system ? `${browser} on ${system}` : browser
}
