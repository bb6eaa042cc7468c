// @vitest-environment jsdom

import { watchConsole } from '@gatehouse/ui/testing/watch-console.ts'
import { afterEach, expect, it, vi } from 'vitest'
import { createConfig } from '../config.ts'
import { watchSession } from '../session/session.ts'
import { createApi } from './api.ts'

const written = watchConsole()
afterEach(() => vi.unstubAllGlobals())

/** Signs in twice at a server that replies with this status. */
const signIn = async (status: number, config: { baseUrl: string }) => {
  vi.stubGlobal('fetch', async () => new Response('', { status }))
  const { getAuthTokenWithError } = createApi(config)
  for (let i = 0; i < 2; i++) await getAuthTokenWithError({ username: 'ada@example.com', password: 'secret', useragent: '' })
  return written.lines()
}
const page = window.location.origin

it('logs once which option to set when the page’s own server has no Gatehouse', async () => {
  const lines = [`Gatehouse: no Gatehouse server at ${page}; set the option server to its address`]
  expect(await signIn(404, createConfig())).toEqual(lines)
})

it('logs which option to set even when a page only watches the session', async () => {
  vi.stubGlobal('fetch', async () => new Response('', { status: 404 }))
  const stop = watchSession(() => {}, { basePath: '/in' })
  await vi.waitFor(() =>
    expect(written.lines()).toEqual([`Gatehouse: no Gatehouse server at ${page}/in; set the option server to its address`]),
  )
  stop()
})

it.each([
  ['another status', 500, `${page}/gate`],
  ['another origin', 404, 'https://gate.example.com'],
])('logs nothing for %s', async (_, status, baseUrl) => {
  expect(await signIn(status, { baseUrl })).toEqual([])
})
