import { sourceOf } from '@gatehouse/language/translate.ts'
import { expect, it } from 'vitest'
import { english } from './en.ts'

it('has only texts that a translation can replace', () => {
  expect(sourceOf(english).forgotPassword.sentTo).toBe('Sent to {address}')
})
