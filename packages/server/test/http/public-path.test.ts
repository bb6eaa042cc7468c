import { routes } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { ask, grafana, page, signInFrom, start } from '../forward-auth/return-journey.ts'
import type { Browser } from '../support/harness.ts'

/** How a proxy forwards requests below the public path. */
const passes: [string, (path: string) => string][] = [
  ['unchanged', path => path],
  ['after stripping the path', path => path.slice('/gate'.length)],
]

test.each(passes)('serves pages, assets, calls, checks and the return below a path that a proxy forwards %s', async (_, passed) => {
  const server = await start()
  const get = (path: string, headers = {}) => server.app.inject({ url: passed(path), headers })
  const start_ = await get('/gate/', page)
  const assets = [...start_.body.matchAll(/="([^"]*assets\/[^"]+)"/g)].map(([, asset = '']) => asset)
  for (const asset of assets) expect([asset, (await get(asset)).statusCode]).toEqual([expect.stringMatching(/^\/gate\/assets\//), 200])
  const browser = server.openBrowser()
  const through: Browser = { ...browser, get: (url, headers) => browser.get(passed(url), headers) }
  const returnId = await ask(through, `${grafana}/x?y=1`)
  expect(await signInFrom(through, returnId)).toEqual([303, `${grafana}/x?y=1`])
  expect((await through.get('/gate/', page)).headers.location).toBe('/gate/account')
  expect((await through.get('/gate/account', page)).statusCode).toBe(200)
  expect((await get('/gate/account', page)).headers.location).toBe('/gate/')
  expect((await get('/gate/healthz')).body).toBe('ok')
  expect((await get('/gate/nothing', page)).body).toContain('href="/gate/"')
  const foreign = { origin: 'https://evil.example', 'content-type': 'application/json' }
  const call = passed(`/gate${routes.logoutBySelf.path}`)
  expect((await server.app.inject({ method: 'POST', url: call, headers: foreign, payload: {} })).statusCode).toBe(403)
  expect((await browser.send('POST', call, {})).statusCode).toBe(200)
})

test('refuses to start if the public path is the address of a page or call, and names the variable', async () => {
  for (const path of ['account', 'administration/users', 'healthz', 'auth/forward'])
    await expect(start({ GATEHOUSE_PUBLIC_URL: `https://example.com/${path}` })).rejects.toThrow(
      `GATEHOUSE_PUBLIC_URL: https://example.com/${path} is the address of a page or call of Gatehouse’s own; choose another path.`,
    )
  for (const path of ['auth', 'accounts', 'administration/x']) {
    const server = await start({ GATEHOUSE_PUBLIC_URL: `https://example.com/${path}` })
    expect([path, (await server.app.inject({ url: `/${path}/`, headers: page })).statusCode]).toEqual([path, 200])
  }
})

test('TH-14, A38: returns 404 for alternative spellings of a path, except for a percent-encoded prefix', async () => {
  const server = await start()
  for (const path of ['/auth/forward', '/account']) {
    for (const base of ['', '/gate', '/gate/gate', '/GATE', '/%67ate', '//gate', '/gate/', '/gate;x', '/gate%2f', '/gate/x']) {
      for (const url of [base + path, `${base}/${path}`, `${base}${path}/`, base + path.toUpperCase(), `${base}${path};x`]) {
        const { statusCode, headers } = await server.app.inject({ url, headers: page })
        // The router decodes %67 to g, so /%67ate leads to the same route with the same guard. Everything else returns 404.
        const isRoute = ['', '/gate', '/%67ate'].includes(base) && url === base + path
        const expected = isRoute
          ? path === '/account'
            ? [303, '/gate/']
            : [302, expect.stringContaining('/gate/trouble?')]
          : [404, undefined]
        expect([url, statusCode, headers.location]).toEqual([url, ...expected])
      }
    }
  }
})
