import { expect } from 'vitest'
import { hostileAddresses } from '../http/hostile-addresses.ts'
import { grafana, page, start } from './return-journey.ts'

const isOwn = (location: string | undefined) => location === undefined || /^\/gate\/(account|recovery-codes)?$/.test(location)

/**
 * Passes hostile addresses to pages that redirect, in parameters and proxy headers. No redirect may leave Gatehouse.
 * @param onEachPath whether each address goes to every page, or only to one of them
 */
export const passHostileAddresses = async (onEachPath: boolean) => {
  const server = await start()
  const [signedIn, anonymous] = [server.openBrowser(), server.openBrowser()]
  await signedIn.enter()
  const wrong: unknown[] = []
  const seen = (what: string, address: string, location: string | undefined) => {
    if (!isOwn(location)) wrong.push([what, address, location])
  }
  const names = [
    'return',
    'next',
    'rd',
    'redirect',
    'redirect_uri',
    'returnTo',
    'return_to',
    'url',
    'to',
    'target',
    'continue',
    'dest',
    'goto',
    'service',
    'RelayState',
  ]
  const paths = [
    '/gate/',
    '/gate/account',
    '/gate/recovery-codes',
    '/gate/second-factor',
    '/gate/auth/page/plow/ssoLogin',
    '/gate/auth/page/plow/a/b',
    '/',
  ]
  for (const [index, address] of hostileAddresses.entries()) {
    // Every parameter name, on pages that redirect: once, twice and as an array, with other hostile addresses in headers.
    const query = names.map(name => `${name}=${encodeURIComponent(address)}`).join('&')
    for (const path of paths.filter((_, at) => onEachPath || at === index % paths.length)) {
      for (const browser of [signedIn, anonymous]) {
        for (const url of [
          `${path}?${query}`,
          `${path}?return=${encodeURIComponent(address)}&return=x`,
          `${path}?return[]=${encodeURIComponent(address)}`,
        ]) {
          const answer = await browser.get(url, { ...page, referer: 'https://evil.example/', 'x-original-url': 'https://evil.example/' })
          seen(url, address, answer.headers.location)
          if (answer.statusCode >= 500) wrong.push([url, answer.statusCode])
        }
      }
    }
    // Proxy headers: as a host, as a path, and as part of a host.
    for (const [host, uri] of [
      [address, '/'],
      ['grafana.example.com', address],
      [`grafana.example.com${address}`, '/'],
    ] as const) {
      const header = (text: string) => text.replace(/[^\x20-\x7e]/g, '')
      const headers = { ...page, 'x-forwarded-proto': 'https', 'x-forwarded-host': header(host), 'x-forwarded-uri': header(uri) }
      const { location } = (await anonymous.get('/gate/auth/forward', headers)).headers
      if (!/^https:\/\/example\.com\/gate\/(trouble\?|\?return=([\w-]{22}|none)$)/.test(location ?? ''))
        wrong.push(['check', host, uri, location])
    }
  }
  expect(wrong).toEqual([])
  // No stored address leaves a protected origin.
  const kept = await server.db.selectFrom('return_addresses').select('returnTarget').execute()
  expect(kept.filter(({ returnTarget }) => new URL(returnTarget).origin !== grafana)).toEqual([])
}
