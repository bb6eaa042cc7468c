import type { Messages } from './messages.ts'

/** The English catalogue, and the default. */
export const english: Messages = {
  login: {
    email: 'Email',
    password: 'Password',
    forgotPassword: 'Forgot your password?',
    signIn: 'Sign in',
    signingIn: 'Signing in',
    signedIn: 'Signed in, please wait',
    orSignInWith: 'Or Sign in with',
    google: 'Sign in with Google',
    microsoft: 'Sign in with Microsoft',
    pak: 'Sign in with Pak Platform',
    notReady: 'Not ready',
    emailMissing: 'Enter your email address.',
    emailMalformed: 'Enter an email address like name@example.com.',
    passwordMissing: 'Enter your password.',
  },
  failures: {
    'failed-login': 'You have failed to login. Make sure that your email and password are correct.',
    'forced-reset': 'Your password has been reset by an administrator. Please reset your password.',
  },
  passwordField: { show: 'Show password', hide: 'Hide password' },
  unexpected: { title: 'Something went wrong', advice: 'Try again in a moment.', moreInfo: 'More Info' },
  toasts: { region: 'Notifications', close: 'Close' },
  notThereYet: {
    title: 'Not there yet',
    text: 'This step of signing in is not available yet. You can go back and sign in another way.',
    back: 'Back to Login',
  },
  account: {
    title: 'Your account',
    signedInAs: 'Signed in as',
    administrator: 'Administrator',
    signOut: 'Sign out',
    signingOut: 'Signing out',
  },
}
