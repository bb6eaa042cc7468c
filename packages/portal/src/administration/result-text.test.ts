import { expect, test } from 'vitest'
import { resultText } from './step-text.ts'

test('joins the texts of a result with several codes', () => {
  expect(resultText('google: factor-creation-required')).toBe('Google: Second factor to be set up')
  expect(resultText('azure: not linked: taken')).toBe('Microsoft: Not linked: Already in use')
  expect(resultText('by google')).toBe('Created by Google sign-in')
  expect(resultText('successful: TOTP')).toBe('Successful: Authenticator app')
  expect(resultText('550: password-reset')).toBe('550: Password reset link')
  expect(resultText('of-a-newer-server')).toBe('of-a-newer-server')
})
