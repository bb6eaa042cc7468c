import { expect, test } from 'vitest'
import { signInStep } from './sign-in-steps.ts'

test.each([
  ['sign-in', 'successful', 'Password SignedIn'],
  ['sign-in', 'second-factor-required', 'Password Passed'],
  ['sign-in', 'wrong-password', 'Password WrongPassword'],
  ['sign-in', 'locked', 'Password Locked'],
  ['sign-in', 'forced-reset', 'Password ForcedReset'],
  ['one-time-link', 'factor-creation-required', 'OneTimeLink Passed'],
  ['one-time-link', 'refused', 'OneTimeLink Refused'],
  ['sso', 'google: successful: Provider', 'Google SignedIn'],
  ['sso', 'azure: second-factor-required', 'Azure Passed'],
  ['sso', 'pak: unknown-identity', 'Pak Refused'],
  ['sso', 'google: failed', 'Google Refused'],
  ['sso', 'google: linked', 'none'],
  // Steps of the account page: the user is already signed in.
  ['sso', 'google: not linked: cancelled', 'none'],
  ['sso', 'google: not linked: over', 'none'],
  ['factor-added', 'successful', 'none'],
  ['second-factor', 'wrong-code: clock-behind: 3 min', 'TOTP WrongCode'],
  ['factor-added', 'wrong-code', 'none'],
  ['second-factor', 'successful: RecoveryCode', 'RecoveryCode SignedIn'],
  ['second-factor', 'wrong-recovery-code', 'RecoveryCode WrongCode'],
  ['second-factor', 'used-code', 'TOTP WrongCode'],
  ['second-factor', 'paused', 'TOTP Locked'],
  ['second-factor', 'wrong-password', 'Password WrongPassword'],
  ['second-factor', 'successful: Push', 'Push SignedIn'],
  ['push-requested', 'successful', 'none'],
  ['push-requested', 'wrong-password', 'Password WrongPassword'],
  ['push-answered', 'approved', 'none'],
  ['push-answered', 'wrong-number', 'Push WrongCode'],
  ['push-answered', 'paused', 'Push Locked'],
  ['push-answered', 'not-me', 'Push Refused'],
  ['push-answered', 'enrolment: wrong-number', 'none'],
  ['factor-verified', 'successful: TOTP', 'TOTP SignedIn'],
  ['factor-skipped', 'successful', 'Skip SignedIn'],
  ['factor-skipped', 'refused', 'Skip Refused'],
  // The step that signed the user in is counted once.
  ['sign-in-continued', 'second-factor-required', 'none'],
  ['session-started', 'successful', 'none'],
])('%s: %s counts as %s', (event, result, expected) => {
  const step = signInStep(event, result)
  expect(step ? `${step.way} ${step.outcome}` : 'none').toBe(expected)
})
