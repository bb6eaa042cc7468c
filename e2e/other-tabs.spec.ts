import { once } from 'node:events'
import http from 'node:http'
import { freePort } from '../packages/server/test/support/free-port.ts'
import { test as base, expect, signInPage } from './gatehouse.ts'

/** A dashboard on another port, behind a minimal proxy that asks Gatehouse before each request, like Traefik and Caddy. */
const test = base.extend<{ dashboard: string; dashboardPort: number }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what a fixture needs from its pattern
  dashboardPort: async ({}, use) => use(await freePort()),
  settings: async ({ dashboardPort }, use) => use({ GATEHOUSE_PROTECTED_ORIGINS: `http://localhost:${dashboardPort}` }),
  dashboard: async ({ dashboardPort, gatehouse }, use) => {
    const server = http.createServer(async (request, response) => {
      const headers = new Headers()
      for (const name of ['accept', 'cookie', 'sec-fetch-mode', 'sec-fetch-dest']) headers.set(name, String(request.headers[name] ?? ''))
      headers.set('x-forwarded-method', String(request.method))
      headers.set('x-forwarded-proto', 'http')
      headers.set('x-forwarded-host', `localhost:${dashboardPort}`)
      headers.set('x-forwarded-uri', String(request.url))
      const { hostname, port } = new URL(gatehouse.url)
      const check = http.request({ hostname, port, path: '/auth/forward', headers: Object.fromEntries(headers) })
      check.end()
      const [answer]: http.IncomingMessage[] = await once(check, 'response')
      if (answer?.statusCode !== 200) {
        response.writeHead(answer?.statusCode ?? 502, { location: answer?.headers.location ?? '' })
        return void answer?.pipe(response)
      }
      answer.resume()
      response.writeHead(200, { 'content-type': 'text/html' }).end('<link rel="icon" href="data:,"><h1>Dashboard</h1>')
    })
    server.listen(dashboardPort, '127.0.0.1')
    await once(server, 'listening')
    await use(`http://localhost:${dashboardPort}`)
    server.closeAllConnections()
    server.close()
  },
})

test('after a sign-in in one of five tabs, each tab opens its own target', { tag: '@long' }, async ({ context, dashboard, gatehouse }) => {
  const targets = [1, 2, 3, 4, 5].map(n => `${dashboard}/d/${n}?from=now-${n}h&x=a%20b#panel=${n}`)
  const tabs = await Promise.all(targets.map(() => context.newPage()))
  await Promise.all(tabs.map((tab, n) => tab.goto(targets[n] ?? '')))
  for (const tab of tabs) {
    await expect(signInPage(tab).button).toBeVisible()
    expect(new URL(tab.url()).origin).toBe(gatehouse.url)
  }
  const kept = () => Promise.all(tabs.map(tab => tab.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name))))
  await expect.poll(async () => (await kept()).every(names => names.some(name => name.endsWith('/return/fragment')))).toBe(true)
  const third = tabs[2]
  if (!third) throw new Error('there are five tabs')
  await third.bringToFront()
  await signInPage(third).signIn()
  for (const [n, tab] of tabs.entries()) {
    await expect(tab.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
    expect(tab.url()).toBe(targets[n])
  }
})

test('signing out in one tab shows the sign-in page in the others, and signing in again opens the account page in all of them', async ({
  context,
  gatehouse,
}) => {
  const [one, two] = [await context.newPage(), await context.newPage()]
  await one.goto(gatehouse.url)
  await signInPage(one).signIn()
  await expect(one).toHaveURL(`${gatehouse.url}/account`)
  await two.goto(`${gatehouse.url}/account`)
  // The first tab loads its script so late that it misses the message about the sign-in in the second tab.
  const signedIn = Promise.withResolvers<void>()
  await one.route('**/assets/beside-sign-in*', async route => {
    await signedIn.promise
    await route.continue()
  })
  await one.getByRole('button', { name: 'Sign out', exact: true }).click()
  for (const tab of [one, two]) await expect(tab).toHaveURL(`${gatehouse.url}/`)
  await expect(signInPage(one).button).toBeVisible()
  await signInPage(two).signIn()
  await expect(two).toHaveURL(`${gatehouse.url}/account`)
  signedIn.resolve()
  await expect(one).toHaveURL(`${gatehouse.url}/account`)
})
