import { reasonText, verifyErrorText } from '@gatehouse/wire'
import { englishAtFirst } from './en-at-first.ts'
import type { Messages } from './messages.ts'

const betterPassword = 'Use four or more unrelated words, or let a password manager create one.'

/** The English catalogue, and the default. */
export const english: Messages = {
  ...englishAtFirst,
  verifyFactor: {
    title: 'Two Factor Authentication',
    text: 'Enter the six digits that your authenticator app shows.',
    textAfterReset: 'Follow the instructions in the email we sent you, then enter the one-time code here.',
    code: 'Verification Code',
    notSixDigits: 'Enter the six digits of the code.',
    verify: 'Verify',
    verifying: 'Verifying',
    verified: 'Verified, please wait',
    or: 'or',
    reset: 'Reset two factor authentication',
    useRecoveryCode: 'Use a recovery code',
    showQrCode: 'Show the QR code again',
    textOnDevice: 'Enter the six digits that your device shows.',
    showInstructions: 'Show the instructions again',
  },
  recoveryCode: {
    title: 'Use a recovery code',
    text: 'Enter one of the codes that you saved when you set up two factor authentication. Each works once.',
    code: 'Recovery Code',
    missing: 'Enter a recovery code.',
    useApp: 'Use the authenticator app',
    usePhone: 'Approve on your phone',
  },
  approveOnPhone: {
    title: 'Approve on your phone',
    text: 'A number appears here. Type it on the phone that you have set up, and you are signed in.',
    ask: 'Show the number',
    asking: 'Asking your phone',
    askAgain: 'Ask again',
    enter: 'Type this number on your phone:',
    number: digits => digits,
    waiting: 'Waiting for your phone',
    left: (minutes, seconds) => `${minutes}:${String(seconds).padStart(2, '0')} left`,
    byHand: 'Approve it on your phone within two minutes, then come back here.',
    goOn: 'I have approved it',
    notYet: 'Your phone has not approved yet. Type the number there first.',
    approved: 'Approved, signing in',
    denied: reason => {
      switch (reason.tag) {
        case 'InvalidCode':
          return 'Another number was typed on the phone. Ask again, and type the new one.'
        case 'NotRequested':
          return 'The phone said that this was not you. If it was you, ask again.'
        case 'NotNeeded':
          return 'Another request has taken the place of this one.'
        case 'ReasonNone':
        case 'MissingSecret':
        case 'WrongFactorType':
          return `The phone did not approve: ${reasonText(reason)}.`
      }
    },
    expired: 'Nobody approved in time. Ask again when you have the phone at hand.',
    hint: 'Nothing on your phone? Open the approver there; it shows who waits. After three requests in ten minutes no more are sent for a while.',
    useCode: 'Enter a code instead',
  },
  createFactor: {
    title: 'Two Factor Authentication',
    text: 'Scan the QR code with an authenticator app such as Google Authenticator or Authy and click Next.',
    qrCode: 'QR code to scan with an authenticator app. The key below it says the same as text.',
    qrCodeFailed: 'The QR code could not be loaded.',
    cannotScan: 'You cannot scan it? Enter this key in the app:',
    copy: 'Copy key',
    copied: 'Copied',
    selected: 'Selected, copy it now',
    open: 'Open in an app on this device',
    textOnDevice: name =>
      `Your second factor is ${name.trim() ? `the device “${name.trim()}”` : 'a device'}. Follow the instructions of your organization to set it up, then click Next and enter the code that the device shows.`,
    nothingToScan: 'There is no QR code for this sign-in. Go back and sign in again.',
    next: 'Next',
    skip: 'Skip factor authentication',
    skipping: 'Loading',
    skipped: 'Signed in, please wait',
    skipNote: 'If you skip, your administrator is notified.',
    skipRefused: {
      Administrator: 'You cannot skip this step, because administrators need two factor authentication.',
      Required: 'You cannot skip this step, because two factor authentication is required here.',
      UsedUp: 'You cannot skip this step again. Set up two factor authentication to sign in.',
    },
  },
  resetFactor: {
    title: 'Reset Two Factor Authentication',
    text: 'Follow the instructions we email you, then enter the one-time code in the next step.',
    noPassword: 'If your account has no password, use a recovery code, or ask your administrator to remove your second factor.',
    held: 'You set this password by a link in an email, and you have not signed in with it and a second factor since. It cannot reset two factor authentication. Use a recovery code, or ask your administrator to remove your second factor.',
    send: 'Send reset instruction',
    sending: 'Sending',
  },
  forgotPassword: {
    title: 'Forgot your password?',
    text: 'Enter your email address, and we send you a link.',
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
      'Without JavaScript this page cannot read its link. Copy the link in the email, or the whole address of this page, and paste it here.',
    pasted: 'Link from the email',
    goOn: 'Continue',
    lookFailed: 'The link could not be checked',
    retry: 'Try again',
    dead: { Used: 'This link has been used', Expired: 'This link no longer works', Unknown: 'This link cannot be used' },
    askAgain: 'Ask for a new one',
    refused: 'That did not work. Try again, or ask for a new link.',
  },
  oneTimeLink: {
    title: email => (email ? `Sign in as ${email}` : 'Sign in with your link'),
    text: 'This link signs you in once, in this browser.',
    signIn: 'Sign in',
    signingIn: 'Signing in',
    signedIn: 'Signed in, please wait',
    dead: {
      Used: 'A one-time link signs you in once.',
      Expired: 'A one-time link works for a few minutes, and not after a newer one was sent or the password was changed.',
      Unknown: 'It may have been cut short, or this page was loaded a second time. Open the link in the email once more.',
    },
    resetPassword: 'Reset your password',
  },
  newPassword: {
    title: 'Choose a new password',
    account: 'Your account',
    password: 'New password',
    again: 'New password, once more',
    length: least => `At least ${least} characters`,
    missing: 'Enter a new password.',
    tooShort: (least, given) => `The password must have at least ${least} characters; this one has ${given}.`,
    different: 'The two passwords are not the same.',
    refused: problem => `The password ${problem.replace(/\.$/, '')}.${problem.startsWith('is too ') ? ` ${betterPassword}` : ''}`,
    change: 'Change password',
    changing: 'Changing your password',
    doneTitle: 'Your password is changed',
    done: 'You are signed out everywhere. Sign in with the new password.',
    signIn: 'Sign in',
    dead: {
      Used: 'A password reset link works once.',
      Expired: 'A password reset link works for a short time, and not after a newer one was sent or the password was changed.',
      Unknown: 'It may have been cut short, or this page was loaded a second time. Open the link in the email once more.',
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
      Used: 'The QR code is shown once. Sign in again and ask for another reset there.',
      Expired:
        'A reset link works for a few minutes, and not after a newer one was sent or the password was changed. Sign in again and ask for another reset there.',
      Unknown:
        'It may have been cut short, or this page was loaded a second time. Open the link in the email once more, or sign in again and ask for another reset there.',
    },
  },
  confirmEmail: {
    title: email => (email ? `Use ${email} from now on?` : 'Use this address from now on?'),
    text: 'You then sign in with this address, and our mail goes to it. Until you confirm, nothing changes.',
    confirm: 'Confirm',
    confirming: 'Confirming',
    doneTitle: 'Your address is changed',
    done: email => `From now on you sign in with ${email || 'the new address'}.`,
    signIn: 'Sign in',
    dead: {
      Used: 'A change of address is confirmed once.',
      Expired:
        'The link works for a short time, and not after a newer one was sent or the password was changed. Ask for the change once more.',
      Unknown: 'It may have been cut short, or this page was loaded a second time. Open the link in the email once more.',
    },
    toAccount: 'Go to your account',
  },
  recoveryCodes: {
    title: 'Recovery codes',
    text: 'With a recovery code you sign in when your authenticator app is not at hand. You get ten, each works once, and they are shown this once. Keep them where you keep your passwords.',
    show: 'Show my recovery codes',
    showing: 'Loading',
    later: 'Later',
    shownTitle: 'Save these recovery codes',
    shownText: 'They are not shown again. Each works once, in place of a code from your authenticator app.',
    list: 'Your recovery codes',
    copy: 'Copy all',
    copied: 'Copied',
    selected: 'Selected, copy them now',
    download: 'Download',
    fileName: 'gatehouse-recovery-codes.txt',
    fileTitle: 'Gatehouse recovery codes. Each works once.',
    print: 'Print',
    saved: 'I have saved them',
  },
  mailbox: {
    title: 'Development mailbox',
    text: 'This server has no mail server to send by, so mail stays here. Nothing listed below was sent to anybody.',
    empty: 'No mail yet. Ask for a password reset or a one-time link, then load this page again.',
    list: 'Mail, newest first',
    nothingOpen: 'Choose a mail to read it.',
    from: 'From',
    to: 'To',
    sent: 'Written',
    html: 'The mail as it is read',
    plain: 'As plain text',
  },
  account: {
    title: 'Your account',
    signedInAs: 'Signed in as',
    asleep: 'Without JavaScript you can look at your account and sign out. To change something, open this page with JavaScript.',
    administrator: 'Administrator',
    signOut: 'Sign out',
    signingOut: 'Signing out',
    waysToSignIn: 'Ways to sign in',
    waysToSignInText: 'Link an account that you have elsewhere, and it signs you in here.',
    providers: { Google: 'Google', Azure: 'Microsoft', Pak: 'Pak Platform' },
    linked: 'Linked',
    link: {
      short: 'Link',
      title: provider => `Link ${provider}`,
      running: provider => `Linking ${provider}`,
      text: provider => `Sign in at ${provider} with the account that you want to link.`,
      textWithPassword: provider => `Enter your password, then sign in at ${provider} with the account that you want to link.`,
    },
    unlink: {
      short: 'Unlink',
      title: provider => `Unlink ${provider}`,
      running: provider => `Unlinking ${provider}`,
      text: provider => `From then on your account at ${provider} does not sign you in here.`,
      textWithPassword: provider => `From then on your account at ${provider} does not sign you in here. Enter your password to unlink it.`,
    },
    cancel: 'Cancel',
    close: 'Close',
    leaving: provider => `Taking you to ${provider}`,
    unlinked: provider => `${provider} is unlinked.`,
    passwordRefused: problem => `The password ${problem.replace(/\.$/, '')}.`,
    lastWay: 'This is the only way you can sign in, so it stays. Link another one first.',
    unavailable: 'The provider does not answer, or is not set up here. Try again later.',
  },
}
