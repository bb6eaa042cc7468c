import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseVerificationCode } from './verification-code.ts'

describe('parseVerificationCode', () => {
  it('parses every six-digit code', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999_999 }), code => {
        expect(parseVerificationCode(String(code).padStart(6, '0'))).toBe(code)
      }),
    )
  })

  it.each([
    [' 012 345 ', 12345],
    ['012-345', 12345],
    ['\t012\u00a0345\n', 12345],
    ['000000', 0],
  ])('parses %j as %i', (text, code) => {
    expect(parseVerificationCode(text)).toBe(code)
  })

  it.each(['', '12345', '1234567', '12345a', '1e5', '0x1234', '+12345', '12.345', '１２３４５６', '٠١٢٣٤٥', '123456\0'])(
    'rejects %j',
    text => {
      expect(parseVerificationCode(text)).toBeUndefined()
    },
  )
})
