import { text } from '@gatehouse/language/text.ts'
import type { AdministratorNoticeTexts } from './mail-texts.ts'

const whatToDo = (advice: string) => ({ title: 'What you can do', text: advice })

export const administratorNotices: AdministratorNoticeTexts = {
  'service-pass-created': {
    title: 'Pass created',
    preview: text('Programs that have it can reach protected applications.', 'product'),
    text: text(
      'An administrator created a pass for a service at {product}. Programs that have it can reach protected applications.',
      'product',
    ),
    advice: whatToDo('If you didn’t expect this, ask the administrator. To end the pass, open Passes in administration.'),
  },
  'service-pass-ends': {
    title: 'Pass ends soon',
    preview: text('The program that uses it will lose access.', 'product'),
    text: text('A pass of a service at {product} ends soon. The program that uses it then loses access.', 'product'),
    advice: whatToDo('If the service still needs it, create a new pass and give it to the program.'),
  },
  'door-alarm': {
    text: text('The open-door alarm of {product} found a problem. {cause}', 'product', 'cause'),
    adviceTitle: 'What you can do',
  },
  'door-alarm-ended': {
    title: 'Alarm ended',
    preview: text('The problem that the open-door alarm found is gone.', 'product'),
    text: text(
      'The problem that the open-door alarm of {product} found at this application is gone: visitors are refused again.',
      'product',
    ),
    advice: whatToDo('If the application was open, read its own log: others may have used it meanwhile.'),
  },
  'factor-skipped': {
    title: 'Second factor skipped',
    preview: text('A user signed in to {product} without a second factor.', 'product'),
    text: text('This user signed in to {product} and skipped setting up a second factor.', 'product'),
    advice: whatToDo('Ask whether they need help setting one up. If they didn’t sign in at this time, end their sessions.'),
  },
  'push-paused-of': {
    title: 'Phone approvals paused',
    preview: text('Someone may know this user’s {product} password.', 'product'),
    denied: text('This user blocked two sign-in requests for their {product} account.', 'product'),
    unanswered: text('Three sign-in requests in a row for this user’s {product} account got no answer.', 'product'),
    advice: whatToDo('Ask them. If they didn’t try to sign in, someone else knows their password: force a new one.'),
  },
  'factor-reset-of': {
    title: 'Second factor replaced',
    preview: text('A user of {product} replaced their second factor.', 'product'),
    text: text('This user replaced the second factor of their {product} account. The old one no longer works.', 'product'),
    advice: whatToDo('If you didn’t expect this, ask them. If it wasn’t them, end their sessions.'),
  },
}
