import { text } from '@gatehouse/language/text.ts'
import type { ApproverMessages } from './approver-messages.ts'

/** The approver in English. */
export const englishApprover: ApproverMessages = {
  title: 'Approver',
  opening: 'Loading',
  notification: text('{product}: someone is trying to sign in', 'product'),
  phoneNames: { Android: 'Android phone', other: 'This device' },
  offlineTitle: 'Not connected',
  offline: 'You’re offline. Requests appear here when this phone is connected again.',
  notSent: 'Your answer wasn’t sent. Try again.',
  noAnswer: 'The server isn’t responding. This page keeps trying.',

  unusable: {
    title: 'You can’t use this browser here',
    insecure: 'This page needs https. Ask your administrator for an https address, then open that.',
    store: 'This browser can’t store data on this phone, perhaps because this is a private window. Open the page in a regular window.',
  },

  start: {
    title: 'Set up this phone',
    text: 'Approve sign-ins here by typing a number.',
    steps: [
      'Sign in on your computer and open your account.',
      'Under ‘Second factor’ choose ‘Add a phone’.',
      'Scan the QR code with this phone’s camera.',
    ],
    paste: 'Or paste the link',
    pasteHint: 'Below the QR code',
    open: 'Continue',
    notALink: 'That isn’t a set-up link for this server.',
  },

  enrol: {
    title: 'Set up this phone',
    text: 'This phone creates a key that never leaves it.',
    name: 'Phone name',
    nameHint: 'Shown on your account page',
    nameMissing: 'Enter a name.',
    nameUnfit: 'The name must not contain control characters.',
    submit: 'Set up this phone',
    running: 'Setting up',
    cancel: 'Not now',
    over: 'This link has been used or has expired. Get a new one on your account page.',
    homeScreen:
      'On an iPhone or iPad, first add this page to your home screen: tap Share, then ‘Add to Home Screen’. Open it from there and paste the link. Without this you won’t get notifications.',
    copy: 'Copy link',
    copied: 'Copied',
    selected: 'Selected. Now copy it.',
  },

  request: {
    title: 'Is this you?',
    enrolmentTitle: 'One last step',
    asks: 'Someone is trying to sign in to your account.',
    enrolmentAsks: 'Type the number from your account page to finish setting up this phone.',
    account: 'Account',
    device: 'Browser',
    place: 'IP address',
    since: 'When',
    left: 'Time left',
    over: 'Expired',
    number: 'Number on your other screen',
    numberHint: 'No number on your screen? Then this isn’t you. Tap “This was not me”.',
    notSixDigits: 'Type the six digits from your other screen.',
    approve: 'Approve',
    approving: 'Approving',
    deny: 'This was not me',
  },

  denial: {
    title: 'Block this sign-in?',
    text: 'Whoever tried it may know your password, so change your password soon. If you block two sign-ins in a row, your phones get no more requests for a day.',
    deny: 'Block this sign-in',
    denying: 'Blocking',
    back: 'Go back',
  },

  end: {
    done: 'Done',
    approved: { title: 'Approved', text: 'You can go back to your other screen.' },
    enrolled: {
      title: 'Number accepted',
      text: 'This phone is ready once your other screen says so. Approve sign-ins here from then on.',
    },
    wrongNumber: {
      title: 'Wrong number',
      text: 'Nothing was approved. If this is you, try again on the other screen and type the new number.',
    },
    stopped: { title: 'Sign-in blocked', text: 'If you weren’t signing in, change your password.' },
    stoppedEnrolment: { title: 'Set-up canceled', text: 'This phone was not added to your account.' },
    notNeeded: { title: 'No longer needed', text: 'A newer request replaced this one, or it was answered on another device.' },
    expired: { title: 'Request expired', text: 'Requests last two minutes. If it was you, try again on the other screen.' },
    other: {
      title: 'Not approved',
      reasons: {
        ReasonNone: 'Reason: Unspecified.',
        MissingSecret: 'Reason: Missing secret (internal error, please report).',
        WrongFactorType: 'Reason: wrong factor type.',
      },
    },
  },

  idle: {
    title: 'Nothing to approve',
    text: 'When you sign in, the request appears here.',
    accounts: 'On this phone',
    remove: 'Remove',
    removeOf: text('Remove {username}', 'username'),
    another: 'To add another account, scan the QR code on its account page.',
  },

  removal: {
    title: text('Remove {username}?', 'username'),
    text: 'This deletes the phone’s key. You can no longer approve sign-ins to this account on this phone.',
    submit: 'Remove',
    running: 'Removing',
    cancel: 'Cancel',
    lastStays: 'This is your only second factor, and you need one. Add another on your account page first.',
  },

  removed: {
    title: 'This phone was removed',
    text: text(
      'It can no longer approve sign-ins to {username}, and its key was deleted. Either someone removed it from the account, or its set-up wasn’t finished in time.',
      'username',
    ),
    done: 'OK',
  },

  notifications: {
    title: 'Notifications',
    text: 'Get a notification when you sign in, even when this page is closed. Notifications don’t contain your account name or any secret.',
    turnOn: 'Turn on notifications',
    turningOn: 'Turning on',
    on: 'Notifications are on.',
    denied: 'Notifications are blocked for this site. You can allow them in your browser’s settings.',
    failed: 'Notifications couldn’t be turned on. You can still approve sign-ins: open this page when you sign in.',
    none: 'This browser doesn’t support notifications. Open this page when you sign in.',
    install: 'Add to home screen',
    others: 'Other notification channels',
    ntfy: 'In the ntfy app, subscribe to this topic. Anyone who knows it can see when you get a request, but nothing else.',
    gotify: 'Requests are also announced in Gotify.',
    copy: 'Copy topic',
    copied: 'Copied',
    selected: 'Selected. Now copy it.',
  },

  waiting: {
    title: 'One last step',
    text: 'Your account page will show a number in a moment. Keep it open.',
  },

  device: text('{browser} on {system}', 'browser', 'system'),
  unknownBrowser: 'Unknown browser',
  place: {
    Here: 'Same network as this phone',
    Server: 'The server itself',
    Inside: 'A private network',
    Elsewhere: 'Another network',
    Unknown: 'Unknown network',
  },
}
