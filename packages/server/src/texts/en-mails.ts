import { text } from '@gatehouse/language/text.ts'
import { administratorNotices } from './en-administrator-notices.ts'
import { linkMails } from './en-link-mails.ts'
import { notices } from './en-notices.ts'
import type { MailTexts } from './mail-texts.ts'

export const mails: MailTexts = {
  frame: {
    subject: text('{title} · {product}', 'title', 'product'),
    subjectAbout: text('{title}: {about} · {product}', 'title', 'about', 'product'),
    fact: text('{label}: {value}', 'label', 'value'),
    above: text('{label}:', 'label'),
    withoutButton: 'If the button doesn’t work, open this address in your browser:',
    sentBy: text('Sent by {product}', 'product'),
    help: 'Help',
    privacy: 'Privacy',
    imprint: 'Imprint',
    time: text('{time} ({zone})', 'time', 'zone'),
  },
  facts: {
    when: 'When',
    ipAddress: 'IP address',
    unknownAddress: 'Unknown',
    browser: 'Browser',
    browserOn: text('{browser} on {system}', 'browser', 'system'),
    unknownBrowser: 'An unknown browser',
    askedFrom: 'Asked from',
    pass: 'Pass',
    passkey: 'Passkey',
    passkeyNumber: text('Passkey {number}', 'number'),
    newAddress: 'New address',
    lockedUntil: 'Locked until',
    ends: 'Ends',
    service: 'Service',
    administrator: 'Administrator',
    user: 'User',
    skips: 'Skips so far',
    application: 'Application',
    path: 'Path',
    answer: 'Answer',
    since: 'Since',
  },
  advice: {
    notYou: {
      title: 'If this wasn’t you',
      text: 'Reset your password now and tell your administrator. Choose ‘Forgot your password?’ on the sign-in page:',
    },
    passwordKnown: {
      title: 'If this wasn’t you',
      text: 'Someone knows your password. Reset your password now and tell your administrator. Choose ‘Forgot your password?’ on the sign-in page:',
    },
  },
  links: linkMails,
  notices,
  administrators: administratorNotices,
}
