import { pages } from '@gatehouse/wire'
import { type Browser, startServer } from '../support/harness.ts'

const publicUrl = 'https://example.com/gate'
export const grafana = 'https://grafana.example.com'

const env = {
  GATEHOUSE_PUBLIC_URL: publicUrl,
  GATEHOUSE_COOKIE_DOMAIN: 'example.com',
  GATEHOUSE_PROTECTED_ORIGINS: `${grafana}, https://example.com, https://x--y.example.com:8443`,
}

export const page = { accept: 'text/html', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }

export const start = async (more: Record<string, string> = {}) => {
  const server = await startServer({ env: { ...env, ...more } })
  await server.addUser()
  return server
}

/** Requests an address behind a proxy without a session. @returns the id of the stored address; `undefined` if it was not stored */
export const ask = async (browser: Browser, address: string, headers: Record<string, string> = {}) => {
  const [, proto = '', host = '', uri = ''] = /^(\w+):\/\/([^/]*)(.*)$/s.exec(address) ?? []
  const forwarded = { 'x-forwarded-proto': proto, 'x-forwarded-host': host, 'x-forwarded-uri': uri }
  const { headers: answered } = await browser.get('/gate/auth/forward', { ...page, ...forwarded, ...headers })
  return /^https:\/\/example\.com\/gate\/\?return=([\w-]{22})$/.exec(answered.location ?? '')?.[1]
}

/** Opens the start page with an id and signs in. @returns the status and where the browser ends up */
export const signInFrom = async (browser: Browser, returnId: string | undefined, base = '/gate') => {
  await browser.get(`${base}/?return=${returnId}`, page)
  const outcome = await browser.signIn()
  if (outcome.tag !== 'AuthSuccessful') throw new Error(outcome.tag)
  const { authTokenSelector, authTokenToken } = outcome.contents
  const { headers, statusCode } = await browser.get(base + pages.token(authTokenSelector, authTokenToken), page)
  return [statusCode, headers.location]
}
