import { expect, it } from 'vitest'
import { english, withEnglish } from './index.ts'

it('returns the English texts when the host has none', () => {
  expect(withEnglish(english, undefined)).toBe(english)
  expect(withEnglish(english, {})).toEqual(english)
})

it('replaces only the texts of the host, at every depth, and does not change the English ones', () => {
  const before = structuredClone(JSON.parse(JSON.stringify(english)))
  const number = (digits: string) => digits.split('').join(' ')
  const words = withEnglish(english, {
    login: { signIn: 'Anmelden' },
    approveOnPhone: { number },
    createFactor: { skipRefused: { UsedUp: 'Verbraucht' } },
  })
  expect(words.login).toEqual({ ...english.login, signIn: 'Anmelden' })
  expect(words.approveOnPhone).toEqual({ ...english.approveOnPhone, number })
  expect(words.createFactor.skipRefused).toEqual({ ...english.createFactor.skipRefused, UsedUp: 'Verbraucht' })
  expect(words.verifyFactor).toBe(english.verifyFactor)
  expect(JSON.parse(JSON.stringify(english))).toEqual(before)
})

it('keeps the English text if the value has another type, as in texts from JSON', () => {
  const own = JSON.parse(
    '{"login":{"signIn":null,"email":5,"nothing":"x"},"verifyFactor":null,"toasts":"x","approveOnPhone":{"left":"2 min"}}',
  )
  const words = withEnglish(english, own)
  expect(words.login.signIn).toBe('Sign in')
  expect(words.login.email).toBe('Email')
  expect(words.verifyFactor).toBe(english.verifyFactor)
  expect(words.toasts).toBe(english.toasts)
  expect(words.approveOnPhone.left('1:05')).toBe('1:05 left')
  expect(withEnglish(english, { login: { signIn: undefined } }).login.signIn).toBe('Sign in')
})
