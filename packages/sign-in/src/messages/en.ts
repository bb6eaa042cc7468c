import { reasonText, verifyErrorText } from '@gatehouse/wire'
import { englishFirstLoad } from './en-first-load.ts'
import { englishMethods } from './en-methods.ts'
import type { Messages } from './messages.ts'

/** All English texts of the widget. They are the default. */
export const english: Messages = {
  ...englishFirstLoad,
  methods: englishMethods,
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
    usePasskey: 'Use your passkey',
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
  passkeySignIn: {
    cancelled: 'No passkey was used. Try again, or sign in with your password.',
    failed: 'Your passkey couldn’t be used. Try again, or sign in with your password.',
    unknown: 'This passkey no longer works here. Choose another one, or sign in with your password.',
    off: 'You can’t use passkeys here. Sign in with your password.',
  },
  usePasskey: {
    title: 'Use your passkey',
    text: 'Confirm that it’s you with your fingerprint, face, screen lock or security key.',
    use: 'Use your passkey',
    link: 'Use your passkey',
    unsupported: 'This browser can’t use passkeys here. Use another browser or another way to sign in.',
    framed: 'Passkeys don’t work inside another site’s page. Open this sign-in in its own tab, or use another way to sign in.',
    needsScript: 'Passkeys need JavaScript. Turn it on, or use another way to sign in.',
    problems: {
      Cancelled: 'No passkey was used. Try again, or use another way to sign in.',
      AlreadyThere: 'This device already has a passkey for your account.',
      Failed: 'Your passkey couldn’t be used. Try again, or use another way to sign in.',
    },
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
    openOnPhone: 'Open in authenticator app on this device',
    textOnDevice: name =>
      `Your second factor is ${name.trim() ? `the device “${name.trim()}”` : 'a device'}. Follow your organization’s instructions to set it up, then click Next and enter the code from the device.`,
    nothingToScan: 'There’s no QR code to scan. Sign in again to get one.',
    next: 'Next',
    skip: 'Skip factor authentication',
    skipping: 'Loading',
    skipped: 'Signed in, please wait',
    skipNote: 'If you skip, your administrator is notified.',
    usePasskey: 'Use a passkey instead',
    creatingPasskey: 'Creating your passkey',
    passkeyProblems: {
      Cancelled: 'No passkey was created. Try again, or use an authenticator app.',
      AlreadyThere: 'This device already has a passkey for your account. Use another device or an authenticator app.',
      Failed: 'A passkey couldn’t be created. Try again, or use an authenticator app.',
      Refused: 'Your passkey wasn’t accepted. Sign in again and repeat this step, or use an authenticator app.',
    },
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
    held: 'You can’t reset your second factor by email, because you haven’t yet signed in with both this password and your current second factor. Use a recovery code, or ask your administrator to remove your second factor.',
    send: 'Send reset instruction',
    sending: 'Sending',
  },
  forgotPassword: {
    title: 'Forgot your password?',
    text: 'Enter your email address and we’ll send you a link.',
    linkTitle: 'Sign in by email',
    linkText: 'Enter your email address and we’ll send you a link that signs you in.',
    sendResetEmail: 'Send Password Reset Email',
    sendMagicLink: 'Send One Time Link Email',
    magicLinkNote: 'A One Time Link Email enables a one-time log-in to your account.',
    sent: 'Email sent',
    resetEmailSent:
      'A password reset link has been sent to your email. If you do not receive the reset link, please check your spam folder.',
    magicLinkSent: 'A One Time Link has been sent to your email. If you do not receive the email, please check your spam folder.',
    sentTo: address => `Sent to ${address}`,
    sendAgainIn: seconds => `You can send another email in ${seconds === 1 ? '1 second' : `${seconds} seconds`}.`,
    sendAgain: 'No email yet? Check the address and send another one.',
  },
  mailCode: {
    number: 'Opening the link on another device? It asks for this number:',
    code: 'Or enter the code we sent you',
    missing: 'Enter the code we sent you.',
    wrong: 'That code didn’t work. Check the newest email, or send another one.',
  },
  verifyErrors: {
    reason: reasonText,
    sentence: verifyErrorText,
    verificationFailed: 'Verification Failed',
    authenticationFailed: 'Authentication Failed',
    messagingProvider: 'Messaging Provider Integration Error',
    clockOffset: seconds => {
      const minutes = Math.max(1, Math.round(Math.abs(seconds) / 60))
      const difference = `${minutes === 1 ? '1 minute' : `${minutes} minutes`} ${seconds < 0 ? 'behind' : 'ahead'}`
      return `Your phone’s clock is about ${difference}. Turn on automatic date and time in its settings, then enter a new code.`
    },
  },
}
