import { admin } from './gatehouse.ts'
import { expect, test } from './protecting.ts'
import { testRecipe } from './protecting-journeys.ts'
import { sendHead } from './protecting-requests.ts'

test.use({ front: 'nginx' })
testRecipe('nginx')

test('refuses a request line whose host differs from the Host header', async ({ open, user }) => {
  const site = await open({ proxy: 'nginx', hosts: 'names', settings: recipe => ({ ...recipe, GATEHOUSE_SECOND_FACTOR: 'off' }) })
  await user.page.goto(site.at('grafana.example.com', '/d/x'))
  await user.signIn()
  await expect(user.page.getByRole('heading', { name: `Hello ${admin.username}` })).toBeVisible()
  const cookie = `Cookie: ${await user.cookies(site.at('grafana.example.com', '/d/x'))}`
  const ask = async (target: string, host: string) => {
    const answer = await sendHead(site.at('grafana.example.com'), [`GET ${target} HTTP/1.1`, `Host: ${host}`, cookie, 'Connection: close'])
    return Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1])
  }
  const { https } = site.ports
  const before = site.dashboard.visits()
  for (const [target, host] of [
    [`https://prometheus.example.com:${https}/api`, `grafana.example.com:${https}`],
    ['https://prometheus.example.com/api', 'grafana.example.com'],
    ['https://grafana.example.com/api', `prometheus.example.com:${https}`],
    ['https://grafana.example.com/api', `grafana.example.com.evil.example:${https}`],
  ] as const)
    expect([target, host, await ask(target, host)]).toEqual([target, host, 421])
  // The rule requires a second factor, which this session lacks.
  expect(await ask('/api', `prometheus.example.com:${https}`)).toBe(403)
  expect(site.dashboard.visits()).toBe(before)
  for (const [target, host] of [
    ['/api', `Grafana.Example.com:${https}`],
    ['/api', 'grafana.example.com:3000'],
    [`https://grafana.example.com:${https}/api`, `grafana.example.com:${https}`],
  ] as const)
    expect([target, host, await ask(target, host)]).toEqual([target, host, 200])
})

test('CK-03: a hostile host of the domain cannot plant a session, and a duplicate check cookie is refused and explained', async ({
  open,
  user,
}) => {
  const site = await open({ proxy: 'nginx', hosts: 'names', settings: recipe => ({ ...recipe, GATEHOUSE_SECOND_FACTOR: 'off' }) })
  const { page, context } = user
  const [grafana, account] = [site.at('grafana.example.com', '/d/x'), site.at('sign-in.example.com', '/account')]
  await page.goto(grafana)
  await user.signIn()
  await expect(page.getByRole('heading', { name: `Hello ${admin.username}` })).toBeVisible()
  const [session] = (await context.cookies(account)).filter(({ name }) => name === '__Host-gatehouse-session')
  expect((await context.cookies(grafana)).map(({ name }) => name)).toEqual(['__Secure-gatehouse-check'])
  // A script of that host plants a session of the attacker. The session is valid, so it would open the account if the server accepted it.
  const names = ['__Host-gatehouse-session', '__Secure-gatehouse-session', 'gatehouse-session']
  await page.evaluate(
    cookies => {
      // biome-ignore lint/suspicious/noDocumentCookie: a hostile script would do the same
      for (const cookie of cookies) document.cookie = cookie
    },
    names.map(name => `${name}=${session?.value}; Domain=example.com; Path=/; Secure`),
  )
  await context.clearCookies({ name: /^__Host-/ })
  const planted = (await context.cookies(account)).filter(({ value }) => value === session?.value)
  expect(planted.map(({ name }) => name).sort()).toEqual(names.slice(1).sort())
  await page.goto(account)
  await expect(page).toHaveURL(site.at('sign-in.example.com', '/'))
  await user.signIn()
  await expect(page.getByRole('heading', { name: `Hello ${admin.username}` })).toBeVisible()
  const before = site.dashboard.visits()
  await context.addCookies([{ name: '__Secure-gatehouse-check', value: 'planted.value', url: grafana, secure: true }])
  await page.goto(grafana)
  await expect(page.getByText('cookie-twice', { exact: true })).toBeVisible()
  expect(site.dashboard.visits()).toBe(before)
})
