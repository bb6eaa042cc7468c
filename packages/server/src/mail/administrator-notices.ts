import type { DoorState } from '@gatehouse/wire'
import type { ServerTexts } from '../texts/server-texts.ts'
import { answerText } from './door-answer.ts'
import type { MailBody } from './layout.ts'
import { printed, printedIp } from './values.ts'

/**
 * Tells administrators what a user did, or what happened to that user's account. `who` is the user.
 * @typeParam Time how it gives an instant: epoch milliseconds, or text in UTC
 */
export type AdministratorNotice<Time extends number | string> =
  | { kind: 'factor-skipped'; who: string; skips: number }
  | { kind: 'factor-reset-of'; who: string }
  | { kind: 'service-pass-created'; who: string; name: string; by: string }
  | { kind: 'service-pass-ends'; who: string; name: string; ends: Time }
  | ({ kind: 'door-alarm' | 'door-alarm-ended' } & DoorNotice<Time>)
  | { kind: 'push-paused-of'; who: string; why: 'denied' | 'unanswered' }

/** `who` is a protected origin. `detail` is another origin, or the reason of a failed request. */
type DoorNotice<Time> = { who: string; state: DoorState; path: string; status: number | null; detail: string | null; since: Time }

/** When it happened, in UTC, and which address the request came from. */
export type Incident = { at: string; address: string }

/** @param name the product's */
export const administratorNoticeBody = (
  message: AdministratorNotice<string> & Incident,
  { mails, doors }: Pick<ServerTexts, 'mails' | 'doors'>,
  name: string,
): MailBody => {
  const { administrators: notices, facts } = mails
  const who = printed(message.who)
  const incident: [string, string][] = [
    [facts.when, printed(message.at)],
    [facts.ipAddress, printedIp(message.address, facts)],
  ]
  switch (message.kind) {
    case 'service-pass-created': {
      const { title, preview, text, advice } = notices[message.kind]
      return {
        title,
        about: who,
        preview: preview(name),
        paragraphs: [text(name)],
        facts: [[facts.service, who], [facts.pass, printed(message.name)], [facts.administrator, printed(message.by)], ...incident],
        advice,
      }
    }
    case 'service-pass-ends': {
      const { title, preview, text, advice } = notices[message.kind]
      return {
        title,
        about: who,
        preview: preview(name),
        paragraphs: [text(name)],
        facts: [
          [facts.service, who],
          [facts.pass, printed(message.name)],
          [facts.ends, printed(message.ends)],
        ],
        advice,
      }
    }
    case 'door-alarm': {
      const { text, adviceTitle } = notices[message.kind]
      const { title, cause, advice } = doors.states[message.state]
      return {
        title,
        about: who,
        preview: cause,
        paragraphs: [text(name, cause)],
        facts: [
          [facts.application, who],
          [facts.path, printed(message.path)],
          [facts.answer, printed(answerText(message, doors))],
          [facts.since, printed(message.since)],
        ],
        advice: { title: adviceTitle, text: advice },
      }
    }
    case 'door-alarm-ended': {
      const { title, preview, text, advice } = notices[message.kind]
      return {
        title,
        about: who,
        preview: preview(name),
        paragraphs: [text(name)],
        facts: [
          [facts.application, who],
          [facts.since, printed(message.since)],
        ],
        advice,
      }
    }
    case 'factor-skipped': {
      const { title, preview, text, advice } = notices[message.kind]
      return {
        title,
        about: who,
        preview: preview(name),
        paragraphs: [text(name)],
        facts: [[facts.user, who], [facts.skips, String(message.skips)], ...incident],
        advice,
      }
    }
    case 'push-paused-of': {
      const { title, preview, [message.why]: text, advice } = notices[message.kind]
      return { title, about: who, preview: preview(name), paragraphs: [text(name)], facts: [[facts.user, who], ...incident], advice }
    }
    case 'factor-reset-of': {
      const { title, preview, text, advice } = notices[message.kind]
      return { title, about: who, preview: preview(name), paragraphs: [text(name)], facts: [[facts.user, who], ...incident], advice }
    }
  }
}
