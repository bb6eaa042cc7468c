import { expect, test } from 'vitest'
import { createPassSecret, readPass } from './pass-secret.ts'

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`

test('reads a pass as a bearer token, and as the password of Basic authentication with any user name', () => {
  const { selector, secret, text } = createPassSecret()
  expect(text).toMatch(/^gh_pass_[\w-]{65}[0-9a-f]{8}$/)
  for (const header of [`Bearer ${text}`, `bearer  ${text} `, basic(`:${text}`), basic(`prometheus:${text}`), basic(`x:${text}`)])
    expect(readPass(header)).toEqual({ is: 'Pass', pass: { selector, secret } })
})

test('leaves every other Authorization header to the application', () => {
  for (const header of [undefined, '', 'Bearer', 'Bearer glsa_abcdef', basic('ada:secret'), 'Basic %%%', 'Bearer GH_PASS_x', 'Digest x'])
    expect(readPass(header)).toBeUndefined()
})

test('refuses a pass in any other place of the header, so that it does not reach the application', () => {
  const { text } = createPassSecret()
  for (const header of [
    `Digest ${text}`,
    `Token ${text}`,
    text,
    basic(`${text}:`),
    basic(`${text}:x`),
    `Bearer x${text}`,
    `Bearer a, Bearer ${text}`,
  ])
    expect(readPass(header)).toEqual({ is: 'Unreadable' })
})

test('recognizes a mistyped pass by its checksum, without a query', () => {
  const { text } = createPassSecret()
  for (let i = 'gh_pass_'.length; i < text.length; i++) {
    const other = text[i] === 'a' ? 'b' : 'a'
    expect(readPass(`Bearer ${text.slice(0, i)}${other}${text.slice(i + 1)}`)).toEqual({ is: 'Unreadable' })
  }
  for (const wrong of ['gh_pass_', text.slice(0, -1), `${text}0`, text.toUpperCase().replace('GH_PASS_', 'gh_pass_')])
    expect(readPass(`Bearer ${wrong}`)).toEqual({ is: 'Unreadable' })
})
