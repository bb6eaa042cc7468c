import type { DoorState } from '@gatehouse/wire'
import { answerText, doorWords } from './door-words.ts'
import type { MailBody } from './layout.ts'
import { printed, printedIp } from './values.ts'

/** Tells administrators what a user did, or what happened to that user's account. `who` is the user. */
export type AdministratorNotice =
  | { kind: 'factor-skipped'; who: string; skips: number }
  | { kind: 'factor-reset-of'; who: string }
  | { kind: 'service-pass-created'; who: string; name: string; by: string }
  | { kind: 'service-pass-ends'; who: string; name: string; ends: string }
  | ({ kind: 'door-alarm' | 'door-alarm-ended' } & DoorNotice)
  | { kind: 'push-paused-of'; who: string; why: 'denied' | 'unanswered' }

/** `who` is a protected origin. `detail` is another origin, or the reason of a failed request. */
type DoorNotice = { who: string; state: DoorState; path: string; status: number | null; detail: string | null; since: string }

/** When it happened, in UTC, and which address the request came from. */
export type Incident = { at: string; address: string }

/** @param name the product's */
export const administratorNoticeBody = (message: AdministratorNotice & Incident, name: string): MailBody => {
  switch (message.kind) {
    case 'service-pass-created':
      return {
        title: 'Pass created',
        about: printed(message.who),
        preview: 'Programs that have it can reach protected applications.',
        paragraphs: [`An administrator created a pass for a service at ${name}. Programs that have it can reach protected applications.`],
        facts: [
          ['Service', printed(message.who)],
          ['Pass', printed(message.name)],
          ['Administrator', printed(message.by)],
          ['When', printed(message.at)],
          ['IP address', printedIp(message.address)],
        ],
        advice: {
          title: 'What you can do',
          text: 'If you didn’t expect this, ask the administrator. To end the pass, open Passes in administration.',
        },
      }
    case 'service-pass-ends':
      return {
        title: 'Pass ends soon',
        about: printed(message.who),
        preview: 'The program that uses it will lose access.',
        paragraphs: [`A pass of a service at ${name} ends soon. The program that uses it then loses access.`],
        facts: [
          ['Service', printed(message.who)],
          ['Pass', printed(message.name)],
          ['Ends', printed(message.ends)],
        ],
        advice: { title: 'What you can do', text: 'If the service still needs it, create a new pass and give it to the program.' },
      }
    case 'door-alarm': {
      const { title, cause, advice } = doorWords[message.state]
      return {
        title,
        about: printed(message.who),
        preview: cause,
        paragraphs: [`The open-door alarm of ${name} found a problem. ${cause}`],
        facts: [
          ['Application', printed(message.who)],
          ['Path', printed(message.path)],
          ['Answer', printed(answerText(message))],
          ['Since', printed(message.since)],
        ],
        advice: { title: 'What you can do', text: advice },
      }
    }
    case 'door-alarm-ended':
      return {
        title: 'Alarm ended',
        about: printed(message.who),
        preview: 'The problem that the open-door alarm found is gone.',
        paragraphs: [`The problem that the open-door alarm of ${name} found at this application is gone: visitors are refused again.`],
        facts: [
          ['Application', printed(message.who)],
          ['Since', printed(message.since)],
        ],
        advice: {
          title: 'What you can do',
          text: 'If the application was open, read its own log: others may have used it meanwhile.',
        },
      }
    case 'factor-skipped':
      return {
        title: 'Second factor skipped',
        about: printed(message.who),
        preview: `A user signed in to ${name} without a second factor.`,
        paragraphs: [`This user signed in to ${name} and skipped setting up a second factor.`],
        facts: [
          ['User', printed(message.who)],
          ['Skips so far', String(message.skips)],
          ['When', printed(message.at)],
          ['IP address', printedIp(message.address)],
        ],
        advice: {
          title: 'What you can do',
          text: 'Ask whether they need help setting one up. If they didn’t sign in at this time, end their sessions.',
        },
      }
    case 'push-paused-of':
      return {
        title: 'Phone approvals paused',
        about: printed(message.who),
        preview: `Someone may know this user’s ${name} password.`,
        paragraphs: [
          message.why === 'denied'
            ? `This user blocked two sign-in requests for their ${name} account.`
            : `Three sign-in requests in a row for this user’s ${name} account got no answer.`,
        ],
        facts: [
          ['User', printed(message.who)],
          ['When', printed(message.at)],
          ['IP address', printedIp(message.address)],
        ],
        advice: {
          title: 'What you can do',
          text: 'Ask them. If they didn’t try to sign in, someone else knows their password: force a new one.',
        },
      }
    case 'factor-reset-of':
      return {
        title: 'Second factor replaced',
        about: printed(message.who),
        preview: `A user of ${name} replaced their second factor.`,
        paragraphs: [`This user replaced the second factor of their ${name} account. The old one no longer works.`],
        facts: [
          ['User', printed(message.who)],
          ['When', printed(message.at)],
          ['IP address', printedIp(message.address)],
        ],
        advice: { title: 'What you can do', text: 'If you didn’t expect this, ask them. If it wasn’t them, end their sessions.' },
      }
  }
}
