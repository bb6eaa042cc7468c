import { describe, expect, it } from 'vitest'
import { decode } from '../format/decode.ts'
import { MagicLinkRequest, MagicLinkRequests, Redirect, SSOProvider } from './magic-link.ts'

const email = 'ada@example.com'
const toDashboard = { email, redirect: { tag: 'RedirectDashboard' } }
const toProvider = (contents: unknown) => ({ email, redirect: { tag: 'RedirectSSOLogin', contents } })

describe('a provider', () => {
  it.each(['Google', 'Azure', 'Pak'])('decodes %s', name => {
    expect(decode(SSOProvider, name)).toEqual({ ok: true, value: name })
  })

  it.each([undefined, null, 5, {}, ['Google'], { tag: 'Google' }])('refuses %j, which is not a string', input => {
    expect(decode(SSOProvider, input)).toEqual({ ok: false, error: 'decodeSSOProvider: expected a top-level JSON string.' })
  })

  it.each(['google', 'AZURE', 'Facebook', 'toString'])("refuses '%s' and names it", name => {
    expect(decode(SSOProvider, name)).toEqual({ ok: false, error: `decodeSSOProvider: unknown enumeration '${name}'.` })
  })

  it.each(['', 'Git Hub', 'é', 'a.b', "x'.", '<script>', '\\', '日本', '😀', 'a\u2028b', 'a\u202eb', 'a'.repeat(64), '😀'.repeat(64)])(
    'quotes the unknown value %j unchanged (§8)',
    text => {
      expect(decode(SSOProvider, text)).toEqual({ ok: false, error: `decodeSSOProvider: unknown enumeration '${text}'.` })
    },
  )

  it.each([
    ['line\nbreak', 'line\\u000abreak'],
    ['\0\x1b[31m\x7f\x85', '\\u0000\\u001b[31m\\u007f\\u0085'],
    ['a\ud83d', 'a\\ud83d'],
    ['\ude00\ud83d', '\\ude00\\ud83d'],
  ])('quotes %j with control characters and lone surrogates escaped', (text, quoted) => {
    expect(decode(SSOProvider, text)).toEqual({ ok: false, error: `decodeSSOProvider: unknown enumeration '${quoted}'.` })
  })

  it.each([
    ['a'.repeat(65), `${'a'.repeat(64)}…`],
    ['a'.repeat(1_000_000), `${'a'.repeat(64)}…`],
    ['😀'.repeat(65), `${'😀'.repeat(64)}…`],
    ['\n'.repeat(65), `${'\\u000a'.repeat(64)}…`],
  ])('quotes 64 characters of a longer value', (text, quoted) => {
    expect(decode(SSOProvider, text)).toEqual({ ok: false, error: `decodeSSOProvider: unknown enumeration '${quoted}'.` })
  })
})

describe('a request', () => {
  it('names the dashboard or a provider', () => {
    expect(decode(MagicLinkRequest, toDashboard)).toEqual({ ok: true, value: toDashboard })
    expect(decode(MagicLinkRequest, toProvider('Pak'))).toEqual({ ok: true, value: toProvider('Pak') })
    const withNull = { email, redirect: { tag: 'RedirectDashboard', contents: null } }
    expect(decode(MagicLinkRequest, withNull)).toEqual({ ok: true, value: withNull })
  })

  it.each([
    [{ email, redirect: { tag: 'RedirectHome' } }, "/redirect/tag: Unknown tag value found 'RedirectHome'."],
    [{ email, redirect: { tag: 'Redirect Home' } }, "/redirect/tag: Unknown tag value found 'Redirect Home'."],
    [{ email, redirect: { tag: '' } }, "/redirect/tag: Unknown tag value found ''."],
    [{ email, redirect: { tag: 'a.b\n' } }, "/redirect/tag: Unknown tag value found 'a.b\\u000a'."],
    [{ email, redirect: { tag: 1.5 } }, "/redirect/tag: Unknown tag value found '1.5'."],
    [{ email, redirect: { tag: null } }, "/redirect/tag: Unknown tag value found 'null'."],
    [{ email, redirect: { tag: ['hostile'] } }, "/redirect/tag: Unknown tag value found '?'."],
    [{ email, redirect: { tag: 7 } }, "/redirect/tag: Unknown tag value found '7'."],
    [{ email, redirect: { tag: Symbol('x') } }, "/redirect/tag: Unknown tag value found '?'."],
    [{ email, redirect: {} }, "/redirect/tag: Unknown tag value found 'undefined'."],
    [{ email, redirect: 'RedirectDashboard' }, '/redirect: expected Object'],
    [toProvider('Git Hub'), "/redirect/contents: RedirectSSOLogin: decodeSSOProvider: unknown enumeration 'Git Hub'."],
    [toProvider('Facebook'), "/redirect/contents: RedirectSSOLogin: decodeSSOProvider: unknown enumeration 'Facebook'."],
    [toProvider(['Google']), '/redirect/contents: RedirectSSOLogin: decodeSSOProvider: expected a top-level JSON string.'],
    [toProvider(null), '/redirect/contents: RedirectSSOLogin: decodeSSOProvider: expected a top-level JSON string.'],
    [{ email, redirect: { tag: 'RedirectSSOLogin' } }, '/redirect/contents: is missing'],
    [{ email, redirect: { tag: 'RedirectDashboard', contents: ['Google'] } }, '/redirect/contents/0: is one too many'],
    [{ ...toDashboard, admin: true }, '/admin: is not a known field'],
    [{ redirect: toDashboard.redirect }, '/email: is missing'],
  ])('refuses %o with its message', (input, error) => {
    expect(decode(MagicLinkRequest, input)).toEqual({ ok: false, error: `decodeMagicLinkRequest: ${error}` })
  })

  it('uses the name Redirect in the error if Redirect is decoded alone', () => {
    expect(decode(Redirect, { tag: 'Elsewhere' })).toEqual({
      ok: false,
      error: "decodeRedirect: /tag: Unknown tag value found 'Elsewhere'.",
    })
  })
})

describe('a list of requests', () => {
  it.each([1, 2, 3, 4, 5])('accepts %i', length => {
    expect(
      decode(
        MagicLinkRequests,
        Array.from({ length }, () => toDashboard),
      ).ok,
    ).toBe(true)
  })

  it.each([0, 6, 100_000])('refuses %i', length => {
    expect(
      decode(
        MagicLinkRequests,
        Array.from({ length }, () => toDashboard),
      ),
    ).toEqual({
      ok: false,
      error: 'decodeMagicLinkRequest: expected 1 to 5 requests',
    })
  })

  it('fails with the position of the wrong request', () => {
    expect(decode(MagicLinkRequests, [toDashboard, toProvider('Facebook')])).toEqual({
      ok: false,
      error: "decodeMagicLinkRequest: /1/redirect/contents: RedirectSSOLogin: decodeSSOProvider: unknown enumeration 'Facebook'.",
    })
  })
})
