import type { SSOProvider } from '@gatehouse/wire'
import type { MailTexts } from '../texts/mail-texts.ts'
import { providerNames } from '../texts/provider-names.ts'
import type { MailBody } from './layout.ts'
import { printed, printedBrowser, printedIp } from './values.ts'

/**
 * Tells a user what happened to their account, without a link or a secret.
 * @typeParam Time the form of an instant: epoch milliseconds, or text in the recipient's time zone
 */
export type Notice<Time extends number | string> =
  | {
      kind: 'factor-reset-held' | 'factor-added' | 'factor-reset-done' | 'factor-removed' | 'recovery-codes-anew' | 'wrong-codes'
    }
  /** `passkeys`: after a reset by mail, those that still sign the user in. */
  | { kind: 'password-changed'; passkeys?: string[] }
  /** `name` is the pass's. `ends`: the instant at which it ends. */
  | { kind: 'pass-created'; name: string }
  | { kind: 'pass-ends'; name: string; ends: Time }
  | { kind: 'passkey-added' | 'passkey-added-automatically' | 'passkey-removed' | 'passkey-copied'; name: string }
  /** After too many wrong passwords; `until` is null if only a reset lets the user sign in with a password again. */
  | { kind: 'locked'; until: Time | null }
  | { kind: 'recovery-code-used'; left: number }
  | { kind: 'provider-linked' | 'provider-unlinked'; provider: SSOProvider }
  /** Sent to the old address; `newEmail` is masked. */
  | { kind: 'email-changed'; newEmail: string }
  | { kind: 'push-paused'; why: 'denied' | 'unanswered' }

/**
 * The time of the event in the recipient's time zone, and the address and browser that the request
 * came from.
 */
export type Happening = { at: string; address: string; userAgent: string }

/** @param name the product's name */
export const noticeBody = (message: Notice<string> & Happening, texts: MailTexts, name: string): MailBody => {
  const { notices, facts } = texts
  const happening: [string, string][] = [
    [facts.when, printed(message.at)],
    [facts.ipAddress, printedIp(message.address, facts)],
    [facts.browser, printedBrowser(message.userAgent, facts)],
  ]
  const notYou = { ...texts.advice.notYou, visit: true }
  const passwordKnown = { ...texts.advice.passwordKnown, visit: true }
  switch (message.kind) {
    case 'factor-added':
    case 'factor-reset-done':
    case 'factor-removed':
    case 'recovery-codes-anew': {
      const { title, preview, text } = notices[message.kind]
      return { title, preview: preview(name), paragraphs: [text(name)], facts: happening, advice: notYou }
    }
    case 'factor-reset-held': {
      const { title, preview, text, more } = notices[message.kind]
      return { title, preview: preview(name), paragraphs: [text(name), more], facts: happening, advice: notYou }
    }
    case 'password-changed': {
      const { title, preview, text, withPasskeys } = notices[message.kind]
      const passkeys = message.passkeys ?? []
      return {
        title,
        preview: preview(name),
        paragraphs: [text(name), ...(passkeys.length > 0 ? [withPasskeys] : [])],
        facts: [...happening, ...passkeys.map((passkey, i): [string, string] => [facts.passkeyNumber(i + 1), printed(passkey)])],
        advice: notYou,
      }
    }
    case 'pass-created': {
      const { title, preview, text } = notices[message.kind]
      const about: [string, string] = [facts.pass, printed(message.name)]
      return { title, preview: preview(name), paragraphs: [text(name)], facts: [about, ...happening], advice: notYou }
    }
    case 'pass-ends': {
      const { title, preview, text, advice } = notices[message.kind]
      return {
        title,
        preview: preview(name),
        paragraphs: [text(name)],
        facts: [
          [facts.pass, printed(message.name)],
          [facts.ends, printed(message.ends)],
        ],
        advice: { ...advice, visit: true },
      }
    }
    case 'passkey-added':
    case 'passkey-added-automatically':
    case 'passkey-removed': {
      const { title, preview, text } = notices[message.kind]
      const about: [string, string] = [facts.passkey, printed(message.name)]
      return { title, preview: preview(name), paragraphs: [text(name)], facts: [about, ...happening], advice: notYou }
    }
    case 'passkey-copied': {
      const { title, preview, text, more } = notices[message.kind]
      const about: [string, string] = [facts.passkey, printed(message.name)]
      return { title, preview: preview(name), paragraphs: [text(name), more], facts: [about, ...happening], advice: notYou }
    }
    case 'locked': {
      const { title, preview, text, advice } = message.until === null ? notices.disabled : notices.locked
      const until: [string, string][] = message.until === null ? [] : [[facts.lockedUntil, printed(message.until)]]
      return {
        title,
        preview: preview(name),
        paragraphs: [text(name)],
        facts: [...happening, ...until],
        advice: { ...advice, visit: true },
      }
    }
    case 'wrong-codes': {
      const { title, preview, text } = notices[message.kind]
      return { title, preview: preview(name), paragraphs: [text(name)], facts: happening, advice: passwordKnown }
    }
    case 'recovery-code-used': {
      const { title, preview, text } = notices[message.kind]
      return { title, preview: preview(name), paragraphs: [text(name, message.left)], facts: happening, advice: notYou }
    }
    case 'provider-linked':
    case 'provider-unlinked': {
      const provider = providerNames[message.provider]
      const { title, preview, text } = notices[message.kind]
      return {
        title: title(provider),
        preview: preview(name, provider),
        paragraphs: [text(name, provider)],
        facts: happening,
        advice: notYou,
      }
    }
    case 'email-changed': {
      const { title, preview, text, advice } = notices[message.kind]
      const about: [string, string] = [facts.newAddress, printed(message.newEmail)]
      return { title, preview: preview(name), paragraphs: [text(name)], facts: [about, ...happening], advice }
    }
    case 'push-paused': {
      const { title, preview, [message.why]: text } = notices[message.kind]
      return { title, preview: preview(name), paragraphs: [text(name)], facts: happening, advice: passwordKnown }
    }
  }
}
