import { deriveAccentColors } from '@gatehouse/wire/accent'
import { describe, expect, test } from 'vitest'
import { firefox, link, everyMessage as messages, happened as then } from '../../test/mail/every-message.ts'
import { type MailMessage, writeMail } from './messages.ts'

const product = { name: 'Gatehouse', url: 'https://gate.example.org/in' }
const tame: MailMessage[] = [...Object.values(messages(then, 'ada@example.com')), { kind: 'locked', until: null, ...then }]
const withLink = tame.filter(message => 'link' in message)
const notices = tame.filter(message => !('link' in message))

const words = (html: string) =>
  html
    .replace(/<style>[\s\S]*?<\/style>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, '&')
const tags = (html: string) => [...html.matchAll(/<!?[^\s>]*/g)].map(([tag]) => tag)
const addresses = (text: string) => text.match(/\b[a-z]+:\/\/[^\s"<>]*/gi) ?? []

test.each(tame)('$kind: has the same content in subject, text and HTML', message => {
  const { subject, text, html } = writeMail(message, product)
  const [title = ''] = text.split('\n')
  expect(title).not.toBe('')
  const about = 'who' in message ? `: ${message.who}` : ''
  expect(subject).toBe(`${title}${about} · Gatehouse`)
  expect(html).toContain(`<title>${title}</title>`)
  const said = words(html).replace(/\s+/g, ' ')
  // Skip the link's block and the signature, which the HTML words differently.
  const paragraphs = text.split('\n\n').filter(block => !block.includes(link) && !block.startsWith('-- '))
  for (const line of paragraphs.flatMap(block => (block.startsWith('When: ') ? block.split(/: |\n/) : [block.replace(/\n/g, ' ')]))) {
    for (const word of line.split(/[ :]+/)) expect(said).toContain(word)
  }
  expect(html).toMatch(/^<!doctype html>\n<html lang="en"/)
  expect(`${subject}${text}${words(html)}`).not.toMatch(/!|undefined|null|NaN|\[object/)
})

test.each(tame)('$kind: links only to its own link and to the product', message => {
  const { text, html } = writeMail(message, product)
  const own = 'link' in message ? [message.link] : []
  expect(new Set(addresses(text))).toEqual(new Set([...own, product.url]))
  expect(new Set(addresses(html))).toEqual(new Set([...own, product.url]))
  for (const address of [...own, product.url]) {
    expect(text.split('\n')).toContain(address)
    expect(html).toContain(`href="${address}"`)
    expect(html).toContain(`>${address}</a>`)
  }
  expect(html).not.toMatch(/<(?:img|script|link|iframe|form|object|svg)\b|\bsrc=|url\(|@import|\son\w+=/i)
})

test.each(tame)('$kind: ends with the links of the operator', message => {
  const links = {
    help: 'https://acme.example/help?a=1&b=2',
    privacy: 'https://acme.example/privacy',
    imprint: 'mailto:imprint@acme.example',
  }
  const { text, html } = writeMail(message, { ...product, links })
  expect(text).toMatch(
    /-- \nGatehouse\nhttps:\S+\nHelp: https:\/\/acme\.example\/help\?a=1&b=2\nPrivacy: https:\S+\nImprint: mailto:imprint@acme\.example\n$/,
  )
  expect(html).toContain('href="https://acme.example/help?a=1&amp;b=2"')
  expect(words(html).replace(/\s+/g, ' ')).toMatch(/Help &nbsp;· ?&nbsp; Privacy &nbsp;· ?&nbsp; Imprint/)
})

test('shows the gate arch, unless the operator has a logo', () => {
  const message = messages(then, 'ada@example.com')['factor-added']
  expect(writeMail(message, product).html).toContain('class="lit"')
  const { html } = writeMail(message, { ...product, name: 'Harbor', hasOwnLogo: true })
  expect(html).not.toContain('class="lit"')
  expect(html).toContain('>Harbor</td>')
})

test.each(withLink)('$kind: has the colors of the operator’s accent, in both themes', message => {
  const accent = deriveAccentColors([255, 212, 0])
  const { html } = writeMail(message, { ...product, accent })
  const { light, dark } = accent
  expect(html).toContain(`background-color:${light.fill};border-radius:8px">`)
  expect(html).toContain(`border:1px solid ${light.edge};border-radius:8px;color:${light.on};`)
  expect(html).toContain(`.link{color:${dark.link} !important}`)
  expect(html).not.toMatch(/#2f55d4|#2a4fc9|#4668ee|#9db5ff/)
})

test.each(withLink)('$kind: has its link once in the text, and twice in the HTML', message => {
  const { text, html } = writeMail(message, product)
  expect(text.split(message.link).length - 1).toBe(1)
  expect(html.split(`href="${message.link}"`).length - 1).toBe(2)
})

test.each([
  ['password-reset', '30 minutes'],
  ['invitation', '24 hours'],
  ['one-time-link', '10 minutes'],
  ['factor-reset', '10 minutes'],
  ['email-change', '1 minute'],
] as const)('%s: says once that its link expires in %s and works once', (kind, lifetime) => {
  const { text, html } = writeMail(messages(then, 'ada@example.com')[kind], product)
  for (const said of [text, words(html)].map(part => part.replace(/\s+/g, ' '))) {
    expect(said.match(/\d+ (?:minute|hour)s?/g)).toEqual([lifetime])
    expect(said).toContain('works once')
  }
})

test.each(tame)('$kind: has text lines of at most 78 characters, except links', message => {
  for (const name of ['Gatehouse', 'The gatehouse of a company with a name that has no end, and then some more']) {
    const { text } = writeMail({ ...message }, { ...product, name })
    for (const line of text.split('\n')) if (!line.startsWith('https://')) expect(line.length).toBeLessThanOrEqual(78)
  }
})

describe('EM-14: a notice', () => {
  // A date or an alarm causes these notices, so they name no client address.
  const byTime = ['pass-ends', 'service-pass-ends', 'door-alarm', 'door-alarm-ended']

  test.each(notices)('$kind: says when, from where and what to do, and contains no secret and no button', message => {
    const extra = { token: 'S3CR3T', selector: 'S3CR3T', link: 'https://gate.example.org/in/S3CR3T', newpassword: 'S3CR3T', code: 'S3CR3T' }
    const { subject, text, html } = writeMail({ ...message, ...extra }, product)
    expect(`${subject}${text}${html}`).not.toContain('S3CR3T')
    expect(html).not.toContain('class="button')
    for (const said of [text, words(html)]) {
      expect(said).toContain(then.at)
      if (!byTime.includes(message.kind)) expect(said).toContain(then.address)
      expect(said).toMatch(/If this wasn’t you|To sign in again|What you can do/)
    }
  })

  test('names the browser and the operating system in fixed words', () => {
    const named = (userAgent: string) =>
      /^Browser: (.*)$/m.exec(writeMail({ kind: 'factor-added', ...then, userAgent }, product).text)?.[1] ?? ''
    const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)'
    expect(named(firefox)).toBe('Firefox on Linux')
    expect(named(`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/126.0.0.0 Safari/537.36`)).toBe('Chrome on Windows')
    expect(named(`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0`)).toBe(
      'Edge on Windows',
    )
    expect(named(`Mozilla/5.0 (Linux; Android 14; Pixel 8) ${webkit} Chrome/126.0.0.0 Mobile Safari/537.36`)).toBe('Chrome on Android')
    expect(named(`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${webkit} Chrome/126.0.0.0 Safari/537.36`)).toBe('Chrome on ChromeOS')
    const safari = 'AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5'
    expect(named(`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${safari} Safari/605.1.15`)).toBe('Safari on macOS')
    expect(named(`Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) ${safari} Mobile/15E148 Safari/604.1`)).toBe('Safari on iPhone')
    for (const other of ['', 'curl/8.5.0', 'https://evil.example/Linux']) expect(named(other)).toBe('An unknown browser')
  })

  test('says how many recovery codes are left', () => {
    const said = (left: number) => writeMail({ kind: 'recovery-code-used', left, ...then }, product).text.replace(/\n/g, ' ')
    expect(said(2)).toContain('2 codes are left')
    expect(said(1)).toContain('1 code is left')
    expect(said(0)).toContain('No codes are left')
  })
})

describe('A19: a value chosen by an attacker', () => {
  const hostile = [
    '<img src=x onerror=alert(1)><a href="https://evil.example">press</a>',
    '"><h1>Pay now</h1><!--',
    "' style='font-size:99px",
    '&lt;b&gt;&#60;script&#62;',
    'ada@example.com\r\nBcc: all@evil.example\r\n\r\nHello',
    'press https://evil.example/login or http://198.51.100.7/',
    'www.evil.example',
    'evil.example/login',
    'ada@example.com https://evil.example/',
    'www.evil.example@example.com',
    'fe80::1%evil.example',
    '\u202Emoc.elpmaxe@ada\u2066\u0000\u2028\u0085',
    `${'x'.repeat(5000)} https://evil.example/`,
  ]

  test.each(hostile)('%j becomes neither markup nor a header nor a link', value => {
    const said = messages({ at: value, address: value, userAgent: `Firefox/1 ${value}` }, value)
    for (const message of Object.values(said)) {
      const { subject, text, html } = writeMail(message, product)
      const harmless = writeMail(messages(then, 'ada@example.com')[message.kind], product)
      expect(tags(html)).toEqual(tags(harmless.html))
      expect(html.match(/\s[a-z-]+="/g)).toEqual(harmless.html.match(/\s[a-z-]+="/g))
      expect(addresses(text)).toEqual(addresses(harmless.text))
      expect(addresses(html)).toEqual(addresses(harmless.html))
      expect(`${subject}${text}${html}`).not.toMatch(/evil\.example|www\.\w|198\.51\.100\.7\/\S/)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the subject must not contain them
      expect(subject).not.toMatch(/[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]/)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the text may contain line ends, but no other control characters
      expect(text).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]|^Bcc/m)
      expect(subject.length).toBeLessThan(150)
      for (const line of text.split('\n'))
        if (!line.startsWith('https://')) expect(line.replaceAll('\u2060', '').length).toBeLessThanOrEqual(78)
    }
  })

  test('prints an ordinary address unchanged', () => {
    const ada = 'Ada.Løvelace+ops@mail.example.co.uk'
    const { subject, text, html } = writeMail({ kind: 'factor-skipped', who: ada, skips: 1, at: then.at, address: then.address }, product)
    for (const part of [subject, text, html]) expect(part).toContain(ada)
  })

  test('prints a time in Arabic without spaces beside the parentheses', () => {
    const at = '\u206820 نوفمبر 2026، 14:05\u2069 (\u2068Europe/Amsterdam\u2069)'
    const { text, html } = writeMail({ kind: 'factor-added', ...then, at }, product)
    for (const part of [text, html]) expect(part).toContain('20 نوفمبر 2026، 14:05 (Europe/Amsterdam)')
  })

  test('shortens a long address but keeps its domain', () => {
    const who = `${'a'.repeat(200)}@example.com`
    const { subject } = writeMail({ kind: 'factor-reset-of', who, at: then.at, address: then.address }, product)
    expect(subject).toMatch(/ a{40}…a+@example\.com · Gatehouse$/)
  })

  test('a hostile product name breaks neither header nor HTML', () => {
    const name = 'Gate<b>\r\nBcc: x'
    for (const message of tame) {
      const { subject, html } = writeMail(message, { name, url: 'https://gate.example.org/?a&b"' })
      expect(subject).toMatch(/ · Gate<b> Bcc: x$/)
      expect(html).not.toContain('<b>')
      expect(html).toContain('href="https://gate.example.org/?a&amp;b&quot;"')
    }
  })
})
