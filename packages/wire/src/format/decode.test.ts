import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { decode, encode, shape, utcTime } from './decode.ts'

const Time = shape('Time', utcTime)
const Thing = shape('Thing', v.strictObject({ inner: v.object({ count: v.pipe(v.number(), v.integer()) }) }))

describe('decode', () => {
  it.each([
    [undefined, 'decodeThing: is missing'],
    [null, 'decodeThing: expected Object'],
    [{}, 'decodeThing: /inner: is missing'],
    [{ inner: {} }, 'decodeThing: /inner/count: is missing'],
    [{ inner: { count: 'secret' } }, 'decodeThing: /inner/count: expected number'],
    // Valibot's own message would quote the number.
    [{ inner: { count: 1.5 } }, 'decodeThing: /inner/count: expected another value'],
    [{ inner: { count: 1 }, more: 1 }, 'decodeThing: /more: is not a known field'],
    [{ inner: { count: 1 }, 'a secret typed as a name': 1 }, 'decodeThing: /?: is not a known field'],
  ])('names the field and the problem in %j', (input, error) => {
    expect(decode(Thing, input)).toEqual({ ok: false, error })
  })

  it('returns a failure when a getter throws, without quoting what it threw', () => {
    const input = {
      get inner() {
        throw new Error('secret')
      },
    }
    expect(decode(Thing, input)).toEqual({ ok: false, error: 'decodeThing: could not be read' })
  })
})

describe('encode', () => {
  it('reverses decoding', () => {
    const Upper = shape(
      'Upper',
      v.pipe(
        v.string(),
        v.transform(text => text.toUpperCase()),
      ),
      text => text.toLowerCase(),
    )
    expect(encode(Upper, 'ADA')).toBe('ada')
    expect(encode(Thing, { inner: { count: 1 } })).toEqual({ inner: { count: 1 } })
  })
})

describe('a UTC time', () => {
  it.each([
    '2026-11-20T03:00:00Z',
    '2024-02-29T23:59:59.999Z',
    '2026-11-20T03:00:00.123456789012Z',
    '0001-01-01T00:00:00Z',
    '9999-12-31T23:59:59Z',
  ])('accepts %s', text => {
    expect(decode(Time, text)).toEqual({ ok: true, value: text })
  })

  it.each([
    '',
    '2026-11-20',
    '2026-11-20T03:00:00',
    '2026-11-20T03:00:00+00:00',
    '2026-11-20 03:00:00Z',
    '2026-11-20T03:00Z',
    '2026-13-01T00:00:00Z',
    '2026-02-30T00:00:00Z',
    '2025-02-29T00:00:00Z',
    '2026-11-20T24:00:00Z',
    '2026-11-20T23:59:60Z',
    '2026-11-20T03:00:00.Z',
    '2026-11-20T03:00:00.1234567890123Z',
    '+002026-11-20T03:00:00Z',
    ' 2026-11-20T03:00:00Z',
    '2026-11-20T03:00:00Z\n',
    '２026-11-20T03:00:00Z',
  ])('refuses %j', text => {
    expect(decode(Time, text)).toEqual({ ok: false, error: 'decodeTime: expected a UTC time like 2026-11-20T03:00:00Z' })
  })
})
