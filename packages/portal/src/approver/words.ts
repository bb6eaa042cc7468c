import type { ChallengeRespondedReason, Place } from '@gatehouse/wire'

/** Every sentence of the approver, in English. Apart from the sign-in area's, whose first load is small. */
export const words = {
  title: 'Approver',
  opening: 'One moment, please',
  offlineTitle: 'Not connected',
  offline: 'You are offline. As soon as this phone is connected again, what waits is shown here.',
  notSent: 'The answer did not get through. Try again.',
  unreached: 'The server does not answer. This page keeps trying.',

  unusable: {
    title: 'This browser cannot be used',
    insecure: 'Keys are only made over https. Ask whoever runs this server to give it a certificate.',
    store: 'It keeps nothing on this device, as in a private window. Open the page in an ordinary window.',
  },

  start: {
    title: 'Set up this phone',
    text: 'Once it is set up, you approve sign-ins here, by a number that you type. No code has to be copied.',
    steps: [
      'Sign in on your computer and open your account.',
      'Under ‘Second factor’ choose ‘Add a phone’.',
      'Scan the QR code with this phone’s camera.',
    ],
    paste: 'Or paste the link',
    pasteHint: 'Below the QR code',
    open: 'Go on',
    notALink: 'This is no link to set up a phone of this server.',
  },

  enrol: {
    title: 'Set up this phone',
    text: 'This phone makes a key of its own. It stays here; nobody can read it, not even this page.',
    name: 'Name of this phone',
    nameHint: 'On your account page',
    nameMissing: 'Enter a name.',
    /** The server's end of a sentence. */
    nameUnfit: (problem: string) => `The name ${problem.replace(/\.$/, '')}.`,
    submit: 'Set up this phone',
    running: 'Setting up',
    cancel: 'Not now',
    over: 'This link has been used or is too old. Make a new one on your account page.',
    homeScreen:
      'On an iPhone or iPad, first add this page to the home screen: Share, then ‘Add to Home Screen’. Open it from there and paste the link. Set up here in the browser, it could not wake you.',
    copy: 'Copy the link',
    copied: 'Copied',
    selected: 'Selected, copy it now',
    link: 'The link',
  },

  question: {
    title: 'Is this you?',
    enrolmentTitle: 'One last step',
    asks: 'Somebody wants to sign in to your account.',
    enrolmentAsks: 'Your account page shows a number. Type it here, and this phone is set up.',
    account: 'Account',
    device: 'Where',
    place: 'From',
    since: 'When',
    left: 'Time left',
    over: 'No time left',
    timeLeft: (minutes: number, seconds: number) => `${minutes}:${String(seconds).padStart(2, '0')}`,
    number: 'The number on the other screen',
    numberHint: 'You see no number there? Then it is not you who asks.',
    notSixDigits: 'Type the six digits that the other screen shows.',
    approve: 'Approve',
    approving: 'Approving',
    deny: 'This was not me',
  },

  doubt: {
    title: 'Was this not you?',
    text: 'The sign-in is stopped. Whoever tried it may know your password: change it soon. After two such answers in a row no more questions are sent to this phone for a while.',
    deny: 'It was not me, stop it',
    denying: 'Stopping it',
    back: 'Go back',
  },

  end: {
    done: 'Done',
    approved: { title: 'Approved', text: 'The other screen goes on by itself.' },
    enrolled: { title: 'This phone is set up', text: 'From now on you approve sign-ins here.' },
    wrongNumber: {
      title: 'That was another number',
      text: 'Nothing was approved. If it is you who signs in, ask again on the other screen and type the new number.',
    },
    stopped: { title: 'The sign-in is stopped', text: 'If you did not try to sign in, change your password.' },
    stoppedEnrolment: { title: 'The set-up is stopped', text: 'This phone was not added to the account.' },
    notNeeded: { title: 'Not needed any more', text: 'A newer question has taken its place, or it was answered elsewhere.' },
    expired: { title: 'Too late', text: 'The question was open for two minutes. If it was you, ask again on the other screen.' },
    other: (reason: string) => ({ title: 'Not approved', text: `The server says: ${reason}.` }),
  },

  idle: {
    title: 'Nothing to approve',
    text: 'When you sign in, the question appears here by itself.',
    accounts: 'On this phone',
    remove: 'Remove',
    removeOf: (username: string) => `Remove ${username}`,
    another: 'Another account? Scan the QR code of its account page.',
  },

  removal: {
    title: (username: string) => `Remove ${username}?`,
    text: 'This phone’s key is deleted, and it approves no more sign-ins of this account.',
    submit: 'Remove',
    running: 'Removing',
    cancel: 'Cancel',
    lastStays: 'It is the only second factor, and one is required. Add another one on your account page first.',
  },

  removed: {
    title: 'This phone was removed',
    text: (username: string) =>
      `It approves no more sign-ins of ${username}, and its key is deleted. Perhaps you removed it on your account page, or its set-up was not finished in time.`,
    done: 'All right',
  },

  wake: {
    title: 'Be told at once',
    text: 'With notifications the question is there the moment you sign in, even while this page is closed. They name no account and hold no secret.',
    turnOn: 'Turn on notifications',
    turningOn: 'Turning on',
    on: 'Notifications are on.',
    denied: 'Notifications are blocked for this site. You can allow them in the settings of your browser.',
    failed: 'Notifications could not be turned on. Without them, open this page when you sign in.',
    none: 'This browser has no notifications. Open this page when you sign in.',
    install: 'Add to the home screen',
    others: 'Other ways to be woken',
    ntfy: 'In the ntfy app, subscribe to this topic. Who knows it can see that you are asked, and nothing else.',
    gotify: 'Questions are announced in Gotify as well.',
    copy: 'Copy topic',
    copied: 'Copied',
    selected: 'Selected, copy it now',
  },

  waiting: {
    title: 'One last step',
    text: 'Your account page shows a number in a moment. Keep it open.',
  },

  device: (browser: string | null | undefined, system: string | null | undefined) => {
    if (browser == null) return 'Unknown browser'
    return system == null ? browser : `${browser} on ${system}`
  },
  place: {
    Here: 'the network of this phone',
    Server: 'the server itself',
    Inside: 'your own network',
    Elsewhere: 'another network',
    Unknown: 'unknown',
  } satisfies Record<Place, string>,
}

/** What came of an answer. */
export const denied = ({ tag }: ChallengeRespondedReason, isEnrolment: boolean) => {
  switch (tag) {
    case 'InvalidCode':
      return words.end.wrongNumber
    case 'NotRequested':
      return isEnrolment ? words.end.stoppedEnrolment : words.end.stopped
    case 'NotNeeded':
      return words.end.notNeeded
    case 'ReasonNone':
    case 'MissingSecret':
    case 'WrongFactorType':
      return undefined
  }
}
