import { reasonText, verifyErrorText } from '@gatehouse/wire'
import { englishAtFirst } from './en-at-first.ts'
import type { Messages } from './messages.ts'

const betterPassword = 'Use four or more unrelated words, or let a password manager create one.'

/** The English catalog, which is the default. */
export const english: Messages = {
  ...englishAtFirst,
  verifyFactor: {
    title: 'Two Factor Authentication',
    text: 'Enter the six-digit code from your authenticator app.',
    textAfterReset: 'Follow the instructions in the email we sent you, then enter the one-time code here.',
    code: 'Verification Code',
    notSixDigits: 'Enter the six-digit code.',
    verify: 'Verify',
    verifying: 'Verifying',
    verified: 'Verified, please wait',
    or: 'or',
    reset: 'Reset two factor authentication',
    useRecoveryCode: 'Use a recovery code',
    showQrCode: 'Show the QR code again',
    textOnDevice: 'Enter the six-digit code from your device.',
    showInstructions: 'Show the instructions again',
  },
  recoveryCode: {
    title: 'Use a recovery code',
    text: 'Enter one of the recovery codes you saved. Each one works once.',
    code: 'Recovery code',
    missing: 'Enter a recovery code.',
    useApp: 'Use your authenticator app',
    usePhone: 'Approve on your phone',
  },
  approveOnPhone: {
    title: 'Approve on your phone',
    text: 'Show the number, then type it on your phone to sign in.',
    ask: 'Show the number',
    asking: 'Sending a request to your phone',
    askAgain: 'Get a new number',
    enter: 'Type this number on your phone:',
    number: digits => digits,
    waiting: 'Waiting for your phone',
    left: (minutes, seconds) => `${minutes}:${String(seconds).padStart(2, '0')} left`,
    byHand: 'Type the number on your phone within two minutes, then come back here.',
    goOn: 'I’ve approved it',
    notYet: 'Your phone hasn’t approved this sign-in yet. Type the number there first.',
    approved: 'Approved, signing in',
    denied: reason => {
      switch (reason.tag) {
        case 'InvalidCode':
          return 'That number didn’t match. Get a new number and try again.'
        case 'NotRequested':
          return 'This sign-in was blocked on your phone. If it was you, try again.'
        case 'NotNeeded':
          return 'A newer request replaced this one.'
        case 'ReasonNone':
        case 'MissingSecret':
        case 'WrongFactorType':
          return `Your phone didn’t approve this sign-in: ${reasonText(reason)}.`
      }
    },
    expired: 'The request timed out. Have your phone ready and try again.',
    hint: 'Nothing on your phone? Open the approver there. You can send three requests in ten minutes.',
    useCode: 'Enter a code instead',
  },
  createFactor: {
    title: 'Two Factor Authentication',
    text: 'Scan the QR code with an authenticator app such as Google Authenticator or Authy and click Next.',
    qrCode: 'QR code to scan with an authenticator app. The same key is shown as text below.',
    qrCodeFailed: 'Couldn’t load the QR code.',
    cannotScan: 'Can’t scan it? Enter this key in the app:',
    copy: 'Copy key',
    copied: 'Copied',
    selected: 'Selected. Now copy it.',
    open: 'Open in an app on this device',
    textOnDevice: name =>
      `Your second factor is ${name.trim() ? `the device “${name.trim()}”` : 'a device'}. Follow your organization’s instructions to set it up, then click Next and enter the code from the device.`,
    nothingToScan: 'There’s no QR code to scan. Sign in again to get one.',
    next: 'Next',
    skip: 'Skip factor authentication',
    skipping: 'Loading',
    skipped: 'Signed in, please wait',
    skipNote: 'If you skip, your administrator is notified.',
    skipRefused: {
      Administrator: 'You can’t skip this step. Administrators need a second factor.',
      Required: 'You can’t skip this step. Everyone needs a second factor here.',
      UsedUp: 'You can’t skip this step again. Set up a second factor to sign in.',
    },
  },
  resetFactor: {
    title: 'Reset Two Factor Authentication',
    text: 'Follow the instructions we email you, then enter the one-time code in the next step.',
    noPassword: 'If your account has no password, use a recovery code or ask your administrator to remove your second factor.',
    held: 'You set this password through a link in an email, so it can’t reset your second factor yet. Use a recovery code or ask your administrator to remove your second factor.',
    send: 'Send reset instruction',
    sending: 'Sending',
  },
  forgotPassword: {
    title: 'Forgot your password?',
    text: 'Enter your email address and we’ll send you a link.',
    sendResetEmail: 'Send Password Reset Email',
    sendMagicLink: 'Send One Time Link Email',
    magicLinkNote: 'A One Time Link Email enables a one-time log-in to your account.',
    sent: 'Email sent',
    resetEmailSent:
      'A password reset link has been sent to your email. If you do not receive the reset link, please check your spam folder.',
    magicLinkSent: 'A One Time Link has been sent to your email. If you do not receive the email, please check your spam folder.',
  },
  verifyErrors: {
    reason: reasonText,
    sentence: verifyErrorText,
    verificationFailed: 'Verification Failed',
    authenticationFailed: 'Authentication Failed',
    messagingProvider: 'Messaging Provider Integration Error',
  },
  mailLink: {
    looking: 'Checking the link',
    byHand:
      'Without JavaScript, this page can’t read your link. Copy the link from the email, or the full address of this page, and paste it here.',
    pasted: 'Link from the email',
    goOn: 'Continue',
    lookFailed: 'Couldn’t check the link',
    retry: 'Try again',
    dead: { Used: 'This link has already been used', Expired: 'This link no longer works', Unknown: 'This link doesn’t work' },
    askAgain: 'Get a new link',
    refused: 'That didn’t work. Try again or get a new link.',
  },
  oneTimeLink: {
    title: email => (email ? `Sign in as ${email}` : 'Sign in with your link'),
    text: 'You’ll be signed in on this browser. The link works once.',
    signIn: 'Sign in',
    signingIn: 'Signing in',
    signedIn: 'Signed in, please wait',
    dead: {
      Used: 'A one-time link works only once. Get a new one to sign in again.',
      Expired: 'One-time links expire after a few minutes, when newer ones are sent or when the password changes.',
      Unknown: 'The link may be incomplete. Open it again from the email, or get a new one.',
    },
    resetPassword: 'Reset your password',
  },
  newPassword: {
    title: 'Choose a new password',
    account: 'Your account',
    password: 'New password',
    again: 'Confirm new password',
    length: least => `At least ${least} characters`,
    missing: 'Enter a new password.',
    tooShort: (least, given) => `Use at least ${least} characters. This password has ${given}.`,
    different: 'The passwords don’t match.',
    refused: problem => `The password ${problem.replace(/\.$/, '')}.${problem.startsWith('is too ') ? ` ${betterPassword}` : ''}`,
    change: 'Change password',
    changing: 'Changing your password',
    doneTitle: 'Password changed',
    done: 'You’re signed out everywhere. Sign in with your new password.',
    signIn: 'Sign in',
    dead: {
      Used: 'A password reset link works only once. Get a new one to change your password again.',
      Expired: 'Password reset links expire after a short time, when newer ones are sent or when the password changes.',
      Unknown: 'The link may be incomplete. Open it again from the email, or get a new one.',
    },
  },
  newFactor: {
    title: 'Replace your second factor',
    text: email =>
      `Scan a new QR code to replace your second factor${email ? ` for ${email}` : ''}. Then enter its code on the page where you asked for the reset, or sign in again with your password and that code. Until then, you can still use your old second factor.`,
    show: 'Show the new QR code',
    showing: 'Loading',
    scan: 'Scan the QR code with an authenticator app such as Google Authenticator or Authy.',
    enter:
      'Now go back to the page where you asked for the reset and enter the code from your app there. If that page is gone, sign in again with your password and the code.',
    dead: {
      Used: 'The QR code is shown only once. Sign in again to ask for another reset.',
      Expired:
        'Reset links expire after a few minutes, when a newer one is sent or when the password changes. Sign in again to ask for another reset.',
      Unknown: 'The link may be incomplete. Open it again from the email, or sign in again to ask for another reset.',
    },
  },
  confirmEmail: {
    title: email => (email ? `Use ${email} from now on?` : 'Use this address from now on?'),
    text: 'You’ll sign in with this address and get our emails there. Nothing changes until you confirm.',
    confirm: 'Confirm',
    confirming: 'Confirming',
    doneTitle: 'Email address changed',
    done: email => `Sign in with ${email || 'your new address'} from now on.`,
    signIn: 'Sign in',
    dead: {
      Used: 'This change has already been confirmed.',
      Expired:
        'Confirmation links expire after a short time, when a newer one is sent or when the password changes. Change your email again on your account page.',
      Unknown: 'The link may be incomplete. Open it again from the email, or change your email again on your account page.',
    },
    toAccount: 'Go to your account',
  },
  recoveryCodes: {
    title: 'Recovery codes',
    text: 'Recovery codes let you sign in without your authenticator app or phone. You get ten, and each one works once. We show them only once, so save them in your password manager.',
    show: 'Show my recovery codes',
    showing: 'Loading',
    later: 'Later',
    shownTitle: 'Save these recovery codes',
    shownText: 'We won’t show them again. Each one works once, in place of your second factor.',
    list: 'Your recovery codes',
    copy: 'Copy all',
    copied: 'Copied',
    selected: 'Selected. Now copy them.',
    download: 'Download',
    fileName: 'gatehouse-recovery-codes.txt',
    fileTitle: 'Gatehouse recovery codes. Each works once.',
    print: 'Print',
    saved: 'I’ve saved them',
  },
  mailbox: {
    title: 'Development mailbox',
    text: 'No mail server is set up, so emails are kept here. None of them was sent.',
    empty: 'No emails yet. Ask for a password reset or a one-time link, then reload this page.',
    list: 'Emails, newest first',
    nothingOpen: 'Select an email to read it.',
    from: 'From',
    to: 'To',
    sent: 'Date',
    html: 'Formatted email',
    plain: 'Plain text',
  },
  account: {
    title: 'Your account',
    signedInAs: 'Signed in as',
    asleep: 'Without JavaScript, you can view your account and sign out. Turn on JavaScript to change anything.',
    administrator: 'Administrator',
    signOut: 'Sign out',
    signingOut: 'Signing out',
    waysToSignIn: 'Ways to sign in',
    waysToSignInText: 'Link an account to sign in with it.',
    providers: { Google: 'Google', Azure: 'Microsoft', Pak: 'Pak Platform' },
    linked: 'Linked',
    link: {
      short: 'Link',
      title: provider => `Link ${provider}`,
      running: provider => `Linking ${provider}`,
      text: provider => `Sign in to ${provider} with the account you want to link.`,
      textWithPassword: provider => `Enter your password, then sign in to ${provider} with the account you want to link.`,
    },
    unlink: {
      short: 'Unlink',
      title: provider => `Unlink ${provider}`,
      running: provider => `Unlinking ${provider}`,
      text: provider => `You’ll no longer be able to sign in with ${provider}.`,
      textWithPassword: provider => `You’ll no longer be able to sign in with ${provider}. Enter your password to unlink it.`,
    },
    cancel: 'Cancel',
    close: 'Close',
    leaving: provider => `Taking you to ${provider}`,
    unlinked: provider => `${provider} unlinked.`,
    passwordRefused: problem => `The password ${problem.replace(/\.$/, '')}.`,
    lastWay: 'This is your only way to sign in. Set a password or link another account first.',
    unavailable: 'This provider isn’t responding or isn’t set up here. Try again later.',
  },
}
