import type { DoorState } from '@gatehouse/wire'
import type { ToldAdministrators } from '../texts/mail-texts.ts'
import type { ServerTexts } from '../texts/server-texts.ts'
import { answerText } from './door-answer.ts'
import type { MailBody } from './layout.ts'
import { printed, printedIp } from './values.ts'

/**
 * Tells administrators what a user did, or what happened to an account, a service's pass or a
 * protected origin. `who` names the user, service or origin.
 * @typeParam Time the form of an instant: epoch milliseconds, or text in UTC
 */
export type AdministratorNotice<Time extends number | string> =
  | { kind: 'factor-skipped'; who: string; skips: number }
  | { kind: 'factor-reset-of'; who: string }
  | { kind: 'service-pass-created'; who: string; name: string; by: string }
  | { kind: 'service-pass-ends'; who: string; name: string; ends: Time }
  | ({ kind: 'door-alarm' | 'door-alarm-ended' } & DoorNotice<Time>)
  | { kind: 'push-paused-of'; who: string; why: 'denied' | 'unanswered' }

/** `who` is a protected origin. `detail` is another origin, or the reason why a request failed. */
type DoorNotice<Time> = { who: string; state: DoorState; path: string; status: number | null; detail: string | null; since: Time }

/** The time of the event in UTC, and the address that the request came from. */
export type Incident = { at: string; address: string }

/** @param name the product's name */
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
  /** Most notices differ only in their texts and facts. */
  const told = ({ title, preview, text, advice }: ToldAdministrators, about: [string, string][]): MailBody => ({
    title,
    about: who,
    preview: preview(name),
    paragraphs: [text(name)],
    facts: about,
    advice,
  })
  switch (message.kind) {
    case 'service-pass-created':
      return told(notices[message.kind], [
        [facts.service, who],
        [facts.pass, printed(message.name)],
        [facts.administrator, printed(message.by)],
        ...incident,
      ])
    case 'service-pass-ends':
      return told(notices[message.kind], [
        [facts.service, who],
        [facts.pass, printed(message.name)],
        [facts.ends, printed(message.ends)],
      ])
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
    case 'door-alarm-ended':
      return told(notices[message.kind], [
        [facts.application, who],
        [facts.since, printed(message.since)],
      ])
    case 'factor-skipped':
      return told(notices[message.kind], [[facts.user, who], [facts.skips, String(message.skips)], ...incident])
    case 'push-paused-of': {
      const { [message.why]: text, ...notice } = notices[message.kind]
      return told({ ...notice, text }, [[facts.user, who], ...incident])
    }
    case 'factor-reset-of':
      return told(notices[message.kind], [[facts.user, who], ...incident])
  }
}
