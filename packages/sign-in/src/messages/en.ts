import { reasonText, verifyErrorText } from '@gatehouse/wire'
import { englishAtFirst } from './en-at-first.ts'
import type { Messages } from './messages.ts'

/** The English catalogue, and the default. */
export const english: Messages = {
  ...englishAtFirst,
  verifyFactor: {
    title: 'Two Factor Authentication',
    text: 'Enter the six digits that your authenticator app shows.',
    textAfterReset: 'Follow the instructions in the email that we have sent you, then enter the one-time code here.',
    code: 'Verification Code',
    notSixDigits: 'Enter the six digits of the code.',
    verify: 'Verify',
    verifying: 'Verifying',
    verified: 'Verified, please wait',
    or: 'or',
    reset: 'Reset two factor authentication',
    showQrCode: 'Show the QR code again',
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
    nothingToScan: 'There is no QR code for this sign-in. Go back and sign in again.',
    next: 'Next',
    skip: 'Skip factor authentication',
    skipping: 'Loading',
    skipped: 'Signed in, please wait',
    skipNote: 'If you skip, your administrator is notified.',
  },
  resetFactor: {
    title: 'Reset Two Factor Authentication',
    text: 'We send you an email. Follow the instructions in it, then enter the one-time code in the next step.',
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
  account: {
    title: 'Your account',
    signedInAs: 'Signed in as',
    administrator: 'Administrator',
    signOut: 'Sign out',
    signingOut: 'Signing out',
  },
}
