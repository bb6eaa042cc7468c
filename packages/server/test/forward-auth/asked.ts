import type { Browser } from '../support/harness.ts'

/** The headers that a proxy sends for a request to an address. `undefined` removes one. */
export const asked = (address: string, headers: Record<string, string | undefined> = {}) => {
  const [, proto = '', host = '', uri = ''] = /^(\w+):\/\/([^/?#]*)(.*)$/s.exec(address) ?? []
  const all = {
    'x-forwarded-proto': proto,
    'x-forwarded-host': host,
    'x-forwarded-uri': uri || '/',
    'x-forwarded-method': 'GET',
    ...headers,
  }
  return Object.fromEntries(Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}

export const navigates = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document', accept: 'text/html,*/*;q=0.8' }

/** The status of a check, and the identity that it passes on. */
export const check = async (
  browser: Browser,
  address: string,
  headers: Record<string, string | undefined> = {},
  path = '/auth/request',
) => {
  const answer = await browser.get(path, asked(address, headers))
  return { status: answer.statusCode, headers: answer.headers, body: answer.body, location: answer.headers.location }
}
