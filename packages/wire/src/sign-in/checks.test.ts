import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { formatMemorySize, includesIgnoringCase, isASCII, isEmailList, isUUID, utf8ByteLength } from './checks.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

describe('isUUID', () => {
  it('accepts every UUID', () => {
    fc.assert(fc.property(fc.uuid(), isUUID))
  })

  // §5 requires only the length and the dashes.
  it.each(['00000000-0000-0000-0000-000000000000', 'zzzzzzzz-zzzz-zzzz-zzzz-zzzzzzzzzzzz', '        -    -    -    -'])(
    'accepts %j',
    text => {
      expect(isUUID(text)).toBe(true)
    },
  )

  it.each([8, 13, 18, 23])('requires a dash at position %i', position => {
    const uuid = '7c9e6679-7425-40de-944b-e07fc1f90ae7'
    expect(isUUID(`${uuid.slice(0, position)}0${uuid.slice(position + 1)}`)).toBe(false)
  })

  it.each(['', '7c9e6679742540de944be07fc1f90ae7', '7c9e6679-7425-40de-944b-e07fc1f90ae70', '-7c9e6679-7425-40de-944b-e07fc1f90ae'])(
    'refuses %j',
    text => {
      expect(isUUID(text)).toBe(false)
    },
  )
})

describe('isEmailList', () => {
  it.each(['a@a', 'a@a,b@b', ' a@a ,  b@b ', 'ada@example.com,grace@example.com', 'a.b+c@d-e.f', '"@"'.replace('"', 'x'), 'ü@ö'])(
    'accepts %j',
    text => {
      expect(isEmailList(text)).toBe(true)
    },
  )

  it.each([
    '',
    ' ',
    ',',
    'a',
    '@',
    'a@',
    '@a',
    'a@@a',
    'a@a@a',
    'a@a,',
    ',a@a',
    'a@a,,b@b',
    'a b@c',
    'a@b c',
    'a @b',
    'a@ b',
    'a@a\t,b@b',
    'a@a\n',
    'a@a\u00a0',
    'a@a;b@b;',
  ])('refuses %j', text => {
    expect(isEmailList(text)).toBe(false)
  })

  const item = fc.string({ unit: fc.constantFrom('a', 'ö', '.', '@', ' ', ',', '\t', '\u2028', '😀', 'a@ö', 'a@.,', ',a@a') })

  it('agrees with a literal reading of §5', () => {
    const accepted = new Set<number>()
    const address = (text: string) => {
      const parts = text.split('@')
      return parts.length === 2 && parts.every(part => part !== '' && !/[\s,]/.test(part))
    }
    const trimmed = (text: string) => {
      while (text.startsWith(' ')) text = text.slice(1)
      while (text.endsWith(' ')) text = text.slice(0, -1)
      return text
    }
    fc.assert(
      fc.property(item, text => {
        const items = text.split(',').map(trimmed)
        const isList = items.every(address)
        if (isList) accepted.add(items.length)
        expect(isEmailList(text)).toBe(isList)
      }),
      { numRuns: 20_000 },
    )
    expect([...accepted]).toEqual(expect.arrayContaining([1, 2, 3]))
  })

  // Count the steps instead of the time, which depends on the machine's load.
  it.each(['a@a,', 'a@a , ', 'a@a,b@b,', ' '])('IN-04: takes one step per character of 100 KB of %j', unit => {
    const text = unit.repeat(Math.ceil(100_000 / unit.length))
    const looks = vi.spyOn(String.prototype, 'charCodeAt')
    for (const method of ['split', 'indexOf', 'replace', 'slice', 'match'] as const)
      vi.spyOn(String.prototype, method).mockImplementation(() => {
        throw new Error(`${method} walks the text again`)
      })
    expect(isEmailList(text)).toBe(false)
    expect(looks.mock.calls.length).toBe(text.length)
  })
})

describe('text', () => {
  it('counts bytes like a UTF-8 encoder', () => {
    // Often surrogates, so that some are pairs.
    const unit = fc.oneof(fc.nat(0xffff), fc.integer({ min: 0xd800, max: 0xdfff }))
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 50, size: 'max' }), units => {
        const text = String.fromCharCode(...units)
        expect(utf8ByteLength(text)).toBe(new TextEncoder().encode(text).length)
      }),
    )
  })

  it.each([
    ['', 0],
    ['a', 1],
    ['é', 2],
    ['\u007f', 1],
    ['\u0080', 2],
    ['\u07ff', 2],
    ['\u0800', 3],
    ['\uffff', 3],
    ['\u{10000}', 4],
    ['€', 3],
    ['😀', 4],
    ['\ud83d', 3],
  ])('counts %j as %i bytes', (text, bytes) => {
    expect(utf8ByteLength(text)).toBe(bytes)
  })

  it('recognizes ASCII', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary-ascii' }), isASCII))
    for (const text of ['\u0080', 'aé', '😀', '\ud83d']) expect(isASCII(text)).toBe(false)
    expect(isASCII('\u007f\0')).toBe(true)
  })

  it('finds a part regardless of case', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (before, part, after) =>
        includesIgnoringCase((before + part + after).toUpperCase(), part.toLowerCase()),
      ),
    )
    expect(includesIgnoringCase('Gatehouse', 'HOUSE')).toBe(true)
    expect(includesIgnoringCase('Gatehouse', '')).toBe(true)
    expect(includesIgnoringCase('Gatehouse', 'horse')).toBe(false)
  })
})

describe('formatMemorySize', () => {
  it.each([
    [0, '0 MB'],
    [512, '512 MB'],
    [999, '999 MB'],
    [1000, '1.0 GB'],
    [1500, '1.5 GB'],
    [2048, '2.0 GB'],
    [123_456, '123.5 GB'],
  ])('formats %i as %s', (megabytes, text) => {
    expect(formatMemorySize(megabytes)).toBe(text)
  })
})
