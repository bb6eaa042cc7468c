// @vitest-environment jsdom

import { watchConsole } from '@gatehouse/ui/testing/watch-console.ts'
import { afterEach, expect, it, vi } from 'vitest'
import { warnOfPageOrigin } from './page-origin.ts'

const written = watchConsole()
afterEach(() => vi.unstubAllGlobals())

let count = 0
/** The address of a server that no earlier test has used. */
const newServer = () => `https://gate-${++count}.example.com`

const answer = (body: unknown) => {
  const fetch = vi.fn(async (_: string, __: RequestInit) => Response.json(body))
  vi.stubGlobal('fetch', fetch)
  return fetch
}
const page = window.location.origin

it('logs, once for each server, that GATEHOUSE_ORIGINS does not list the page’s origin', async () => {
  const fetch = answer({ pageOrigin: 'NotListed' })
  const server = newServer()
  for (let i = 0; i < 3; i++) await warnOfPageOrigin({ baseUrl: `${server}/gate` })
  expect(written.lines()).toEqual([
    `Gatehouse: sign-in does not work on this page: ${page} is not in GATEHOUSE_ORIGINS of the server at ${server}`,
  ])
  expect(fetch.mock.calls.map(([url, { method, credentials }]) => [url, method, credentials])).toEqual([
    [`${server}/gate/origin/check`, 'GET', 'omit'],
  ])
})

it('explains that the page is on another site', async () => {
  answer({ pageOrigin: 'OtherSite' })
  const server = newServer()
  await warnOfPageOrigin({ baseUrl: server })
  expect(written.lines()).toEqual([expect.stringContaining(`${page} and the server at ${server} are different sites`)])
})

it.each([[{ pageOrigin: 'Allowed' }], [{ pageOrigin: 'Else' }], [{}]])('logs nothing when the server replies %j', async body => {
  answer(body)
  await warnOfPageOrigin({ baseUrl: newServer() })
  expect(written.lines()).toEqual([])
})

it('says once that the server cannot be reached', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  const server = newServer()
  for (let i = 0; i < 3; i++) await warnOfPageOrigin({ baseUrl: `${server}/gate` })
  expect(written.lines()).toEqual([
    `Gatehouse: cannot reach ${server}/gate; check that a Gatehouse server runs there, and that the option server has its address`,
  ])
})

it('logs nothing when the server hides its reply from pages, as servers without the origin check do', async () => {
  vi.stubGlobal('fetch', async (_: string, { mode }: RequestInit) => {
    if (mode !== 'no-cors') throw new TypeError('Failed to fetch')
    return Response.error()
  })
  await warnOfPageOrigin({ baseUrl: newServer() })
  expect(written.lines()).toEqual([])
})

it.each(['', '/gate', page, `${page}/gate`])("does not ask a server on the page's own origin, %j", async baseUrl => {
  const fetch = answer({ pageOrigin: 'NotListed' })
  await warnOfPageOrigin({ baseUrl })
  expect(fetch).not.toHaveBeenCalled()
})
