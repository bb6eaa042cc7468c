import type { AccountMessages } from './account-messages.ts'

const sentenceEnd = (text: string) => `${text.replace(/\.$/, '')}.`
const sentence = (text: string) => sentenceEnd(text.charAt(0).toUpperCase() + text.slice(1))

/** The account page's section of passes in English. */
export const englishPasses: AccountMessages['passes'] = {
  title: 'Passes',
  text: 'A pass lets a program, such as a script or a backup, reach protected applications for you without a browser.',
  noRule: 'No application accepts passes at the moment. Ask your administrator.',
  none: 'You have no passes.',
  most: count => `You have ${count} passes, the most an account can have. End one to create another.`,
  methods: methods => (methods.length === 0 ? 'All methods' : `Only ${methods.join(', ')}`),
  networks: networks => (networks.length === 0 ? 'from any network' : `from ${networks.join(', ')}`),
  created: when => `Created ${when}`,
  expires: when => `ends ${when}`,
  used: (when, from) => `Last used ${when}${from === undefined ? '' : ` from ${from}`}`,
  neverUsed: 'Not used yet',
  add: {
    open: 'Create pass',
    title: 'Create a pass',
    text: 'Anyone who has the pass can reach these applications as you, so limit it to what the program needs.',
    fields: {
      name: { label: 'Name', caption: 'For example, ‘Backup’' },
      to: { label: 'Addresses', caption: 'One per line' },
      methods: { label: 'Methods', caption: 'Optional, such as GET' },
      from: { label: 'Networks', caption: 'Optional, such as 10.0.0.0/8' },
    },
    days: { label: 'Ends', of: days => (days === 365 ? 'In 1 year' : `In ${days} days`), onDate: 'On a date' },
    date: { label: 'Date', caption: 'Within a year', wrong: 'Choose a date from tomorrow to in one year.' },
    nameMissing: 'Enter a name.',
    toMissing: 'Enter at least one address.',
    unfit: {
      name: problem => `The name ${sentenceEnd(problem)}`,
      to: sentence,
      methods: sentence,
      from: sentence,
    },
    passkeyFirst: 'To create a pass, sign out and sign in again with a passkey.',
    submit: 'Create pass',
    running: 'Creating the pass',
  },
  shown: {
    title: 'Copy your pass',
    text: 'Store it where your program reads it. We won’t show it again.',
    copy: 'Copy pass',
    copied: 'Copied',
    selected: 'Selected. Now copy it.',
    saved: 'I’ve saved it',
  },
  end: {
    open: 'End',
    of: name => `End pass ${name}`,
    title: name => `End ${name}`,
    text: 'Programs that use it lose access immediately.',
    submit: 'End pass',
    running: 'Ending the pass',
    done: 'Pass ended.',
  },
}
