import { expect, it } from 'vitest'
import { stepText } from './step-text.ts'

it.each([
  ['sso', 'google: second-factor-required', 'Google: second factor required'],
  ['sso', 'google: factor-creation-required', 'Google: second factor to be set up'],
  ['sso', 'azure: successful: Provider', 'Microsoft accepted, the provider’s second factor'],
  ['sso', 'pak: successful', 'Pak Platform accepted'],
  ['sso', 'azure: not linked: taken', 'Microsoft: not linked: Already in use'],
  ['user-added', 'by google', 'User added: created by Google sign-in'],
  ['sign-in', 'successful', 'Password accepted'],
  ['sign-in', 'second-factor-required', 'Password accepted, second factor required'],
  ['sign-in', 'wrong-password', 'Wrong password'],
  ['password-confirmed', 'wrong-password', 'Wrong password'],
  ['sign-in', 'locked', 'Refused: password locked'],
  ['second-factor', 'successful: TOTP', 'Authenticator app accepted'],
  ['second-factor', 'successful: RecoveryCode', 'Recovery code accepted'],
  ['second-factor', 'wrong-code', 'Wrong code'],
  ['second-factor', 'paused', 'Refused: second factor locked'],
  ['second-factor', 'wrong-code: clock-behind: 3 min', 'Wrong code: the phone’s clock is behind by about 3 min'],
  ['factor-verified', 'wrong-code: clock-ahead: 10 min', 'Wrong code: the phone’s clock is ahead by about 10 min'],
  ['passkey-sign-in', 'successful: Passkey', 'Passkey accepted'],
  ['push-answered', 'not-me', 'Blocked on the phone'],
  ['push-requested', 'successful', 'Phone approval requested'],
  ['session-started', 'successful', 'Signed in'],
  ['sign-out-by-administrator', 'one-session', 'Session ended'],
  ['mail-requested', 'PasswordReset', 'Email requested: password reset link'],
  ['mail-requested', 'OneTimeLink', 'Email requested: one-time link'],
  ['mail-requested', 'SSOLink', 'Email requested: provider sign-in link'],
  ['second-factor', 'successful: Push', 'Phone approval accepted'],
  ['second-factor', 'successful: Provider', 'The provider’s second factor accepted'],
  ['user-unlocked', 'successful', 'Unlocked'],
  ['factor-removed', 'by its owner', 'Second factor removed: done by the user'],
  ['of-a-newer-server', 'something', 'of-a-newer-server: something'],
])('writes the event %s with the result ‘%s’ as ‘%s’', (auditEvent, auditResult, text) => {
  expect(stepText({ auditEvent, auditResult })).toBe(text)
})
