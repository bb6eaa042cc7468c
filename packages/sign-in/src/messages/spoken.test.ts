import { isTextFunction } from '@gatehouse/language/text.ts'
import { sourceOf } from '@gatehouse/language/translate.ts'
import { expect, it } from 'vitest'
import { english } from './en.ts'
import { placeholders, spoken } from './spoken.ts'

const namesOf = (texts: object): object =>
  Object.fromEntries(
    Object.entries(texts).flatMap(([key, value]) => {
      if (isTextFunction(value)) return [[key, value.names]]
      if (typeof value !== 'object' || value === null) return []
      const names = namesOf(value)
      return Object.keys(names).length > 0 ? [[key, names]] : []
    }),
  )

it('lists the placeholders of every English text', () => {
  expect(placeholders).toEqual(namesOf(english))
})

const patterns = { ...sourceOf(english), language: 'uk' }

it('makes functions of patterns, in the plural forms of the language', () => {
  const sendAgainIn = '{seconds, plural, one {# секунда} few {# секунди} other {# секунд}}'
  const { forgotPassword } = spoken({ ...patterns, forgotPassword: { ...patterns.forgotPassword, sendAgainIn } }, undefined, 'uk')
  expect([1, 3, 5].map(forgotPassword.sendAgainIn)).toEqual(['1 секунда', '3 секунди', '5 секунд'])
  expect(forgotPassword.sentTo('ada@example.com')).toBe('Sent to ada@example.com')
})

it('accepts functions and patterns of a host page, and keeps the language’s text if the value is neither', () => {
  const own = { forgotPassword: { sentTo: 'An {address}' }, approveOnPhone: { left: () => 'bald' } }
  const texts = spoken(english, own, 'de')
  expect([texts.forgotPassword.sentTo('x'), texts.approveOnPhone.left('1:05')]).toEqual(['An x', 'bald'])
  const fromJson = JSON.parse('{"forgotPassword":{"sentTo":7},"verifyErrors":null}')
  expect(spoken(english, fromJson, 'en')).toEqual(english)
})
