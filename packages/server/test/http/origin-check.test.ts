import { decode, routes } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { startServer } from '../support/harness.ts'

const url = 'https://sign-in.example.com'
const listed = 'https://app.example.com'
const settings = { GATEHOUSE_PUBLIC_URL: url, GATEHOUSE_ORIGINS: `${listed},https://app.example.org,http://old.example.com` }

const ask = async (headers: Record<string, string>, more: Record<string, string> = {}) => {
  const server = await startServer({ env: { ...settings, ...more } })
  const answer = await server.app.inject({ url: routes.originCheck.path, headers })
  expect(answer.statusCode).toBe(200)
  expect(answer.headers['access-control-allow-origin']).toBe('*')
  expect(answer.headers['access-control-allow-credentials']).toBeUndefined()
  expect(answer.headers['set-cookie']).toBeUndefined()
  const decoded = decode(routes.originCheck.response, answer.json())
  return decoded.ok ? decoded.value.pageOrigin : decoded.error
}

test.each([
  ['Allowed', {}],
  ['Allowed', { origin: url, 'sec-fetch-site': 'same-origin' }],
  ['Allowed', { origin: listed, 'sec-fetch-site': 'same-site' }],
  ['NotListed', { origin: 'https://other.example.com', 'sec-fetch-site': 'same-site' }],
  // The browser decides by its public suffix list, which the server does not have.
  ['OtherSite', { origin: 'https://app.example.org', 'sec-fetch-site': 'cross-site' }],
  ['OtherSite', { origin: listed, 'sec-fetch-site': 'cross-site' }],
  ['OtherSite', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
  // Browsers send no Sec-Fetch-Site to another host over plain HTTP.
  ['Allowed', { origin: listed }],
  ['NotListed', { origin: 'https://other.example.com' }],
  ['OtherSite', { origin: 'https://app.example.org' }],
  ['OtherSite', { origin: 'http://old.example.com' }],
  ['OtherSite', { origin: 'null' }],
])('answers %s to a page with %j', async (expected, headers) => {
  expect(await ask(headers)).toBe(expected)
})

test('treats each IP address as a separate site, with any port', async () => {
  const onAddress = { GATEHOUSE_PUBLIC_URL: 'http://127.0.0.1:8080', GATEHOUSE_ORIGINS: 'http://127.0.0.1:3000' }
  expect(await ask({ origin: 'http://127.0.0.1:3000' }, onAddress)).toBe('Allowed')
  expect(await ask({ origin: 'http://10.1.0.1:3000' }, onAddress)).toBe('OtherSite')
})

test('gives the same answer with and without a session', async () => {
  const server = await startServer({ env: settings })
  await server.addUser()
  const browser = server.openBrowser()
  await browser.enter()
  const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
  const signedIn = await browser.send('GET', routes.originCheck.path, undefined, headers)
  const anonymous = await server.app.inject({ url: routes.originCheck.path, headers })
  expect(signedIn.body).toBe(anonymous.body)
})
