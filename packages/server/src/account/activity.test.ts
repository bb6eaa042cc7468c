import { expect, test } from 'vitest'
import { activityKind } from './activity.ts'

// Events and results as the flows record them.
test.each([
  ['session-started', 'successful', 'SignedIn'],
  ['sign-in', 'wrong-password', 'PasswordWrong'],
  ['sign-in', 'locked', 'SignInLocked'],
  ['sign-in', 'forced-reset', 'ResetAsked'],
  ['second-factor', 'used-code', 'CodeWrong'],
  ['second-factor', 'wrong-code: clock-behind: 3 min', 'CodeWrong'],
  ['factor-verified', 'wrong-code: clock-ahead: 10 min', 'CodeWrong'],
  ['second-factor', 'paused', 'CodesPaused'],
  ['second-factor', 'successful: RecoveryCode', 'RecoveryCodeUsed'],
  ['push-answered', 'wrong-number', 'CodeWrong'],
  ['push-answered', 'enrolment: wrong-number', 'CodeWrong'],
  ['push-answered', 'paused', 'CodesPaused'],
  ['push-answered', 'not-me', 'SignInDenied'],
  ['push-answered', 'enrolment: not-me', 'SignInDenied'],
  ['push-answered', 'answered', 'Other'],
  ['push-requested', 'wrong-password', 'PasswordWrong'],
  ['factor-verified', 'successful: TOTP', 'FactorAdded'],
  ['factor-added', 'successful', 'FactorAdded'],
  ['factor-added', 'wrong-code', 'CodeWrong'],
  ['factor-added', 'refused', 'Other'],
  ['factor-verified', 'wrong-code', 'CodeWrong'],
  ['factor-removed', 'by its owner', 'FactorRemoved'],
  ['factor-removed', 'successful', 'FactorRemoved'],
  // Nothing was removed.
  ['factor-removed', 'last-stays', 'Other'],
  ['password-changed', 'wrong-password', 'PasswordWrong'],
  ['password-changed', 'successful', 'PasswordChanged'],
  // The list must not reveal whether an address belongs to another user.
  ['email-change-requested', 'successful', 'EmailChangeAsked'],
  ['email-change-requested', 'taken', 'EmailChangeAsked'],
  ['email-change-requested', 'too-many', 'EmailChangeAsked'],
  ['email-change-requested', 'wrong-password', 'PasswordWrong'],
  ['email-changed', 'refused', 'Other'],
  ['browser-forgotten', 'all others', 'OtherBrowsersForgotten'],
  ['browser-forgotten', 'successful', 'BrowserForgotten'],
  ['session-ended', 'all others', 'OtherSessionsEnded'],
  ['session-ended', 'successful', 'SessionEnded'],
  ['sso', 'Google: linked', 'ProviderLinked'],
  ['sso', 'Google: unlinked', 'ProviderUnlinked'],
  ['sso', 'google: forced-reset', 'ResetAsked'],
  ['sso', 'google: not linked: cancelled', 'Other'],
  ['something-of-a-newer-version', 'successful', 'Other'],
])('%s: %s is listed as %s', (event, result, kind) => {
  expect(activityKind({ event, result })).toBe(kind)
})
