import { describe, expect, it } from 'vitest'
import { readMailLink } from './mail-link.ts'

describe('the fragment of a mailed link', () => {
  it('contains selector and token', () => {
    expect(readMailLink('#Zk3d-_9.Jx8h_T2')).toEqual({ selector: 'Zk3d-_9', token: 'Jx8h_T2' })
    expect(readMailLink(`#${'s'.repeat(128)}.${'t'.repeat(128)}`)).toBeTruthy()
  })

  it.each([
    ['nothing', ''],
    ['a bare #', '#'],
    ['no dot', '#selector'],
    ['no token', '#selector.'],
    ['no selector', '#.token'],
    ['a second dot', '#a.b.c'],
    ['a space', '#a.b c'],
    ['an escape', '#a.b%00'],
    ['a line break', '#a.b\n'],
    ['markup', '#<img src=x onerror=alert(1)>.b'],
    ['a letter outside base64url', '#a.bé'],
    ['a selector that is too long', `#${'s'.repeat(129)}.t`],
    ['a million characters', `#${'a.'.repeat(500_000)}`],
  ])('is refused: %s', (_, hash) => {
    expect(readMailLink(hash)).toBeUndefined()
  })
})
