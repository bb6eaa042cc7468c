import { expect, it } from 'vitest'
import { factorName } from './factor-name.ts'

it.each([
  ['Authenticator app', 'TOTP', 'Authenticator-App'],
  // The calls that the specification defines send no type.
  ['Authenticator app', undefined, 'Authenticator-App'],
  ['Authenticator app', null, 'Authenticator-App'],
  ['Authenticator App', 'TOTP', 'Authenticator App'],
  ['Work phone', 'TOTP', 'Work phone'],
  ['Authenticator app', 'Push', 'Authenticator app'],
  ['Authenticator app', 'Passkey', 'Authenticator app'],
] as const)('shows the factor %j of the type %s as %j', (factorFriendlyName, factorFactorType, name) => {
  expect(factorName({ factorFriendlyName, factorFactorType }, 'Authenticator-App')).toBe(name)
})
