import type { FirstLoadMessages } from './messages.ts'

/** The English texts that the first load needs. */
export const englishFirstLoad: FirstLoadMessages = {
  login: {
    email: 'Email',
    password: 'Password',
    forgotPassword: 'Forgot your password?',
    resetPassword: 'Reset password',
    signIn: 'Sign in',
    signingIn: 'Signing in',
    signedIn: 'Signed in, please wait',
    passkey: 'Sign in with a passkey',
    orSignInWith: 'Or Sign in with',
    google: 'Sign in with Google',
    microsoft: 'Sign in with Microsoft',
    pak: 'Sign in with Pak Platform',
    notReady: 'Not ready',
    lastUsed: 'Last used',
    emailMissing: 'Enter your email address.',
    emailMalformed: 'Enter an email address like name@example.com.',
    passwordMissing: 'Enter your password.',
  },
  backToLogin: 'Back to Login',
  failures: {
    'failed-login': 'You have failed to login. Make sure that your email and password are correct.',
    'forced-reset': 'Your password has been reset by an administrator. Please reset your password.',
  },
  passwordField: { show: 'Show password', hide: 'Hide password' },
  unexpected: { title: 'Something went wrong', advice: 'Try again in a moment.', moreInfo: 'More Info' },
  nextPage: {
    loading: 'Loading',
    failed: 'Couldn’t load the next step. Check your connection and try again.',
    retry: 'Try again',
  },
  toasts: { region: 'Notifications', close: 'Close' },
}
