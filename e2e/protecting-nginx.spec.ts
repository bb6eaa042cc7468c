import { admin } from './gatehouse.ts'
import { expect, test } from './protecting.ts'
import { testRecipe } from './protecting-journeys.ts'
import { sendHead } from './protecting-requests.ts'

test.use({ front: 'nginx' })
testRecipe('nginx')

test('a request line that names another host than Host opens neither', async ({ open, person }) => {
  const site = await open({ proxy: 'nginx', hosts: 'names', settings: recipe => ({ ...recipe, GATEHOUSE_SECOND_FACTOR: 'off' }) })
  await person.page.goto(site.at('grafana.example.com', '/d/x'))
  await person.signIn()
  await expect(person.page.getByRole('heading', { name: `Hello ${admin.username}` })).toBeVisible()
  const cookie = `Cookie: ${await person.cookies()}`
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
  // Its rule asks for a second factor, and this session has none.
  expect(await ask('/api', `prometheus.example.com:${https}`)).toBe(403)
  expect(site.dashboard.visits()).toBe(before)
  for (const [target, host] of [
    ['/api', `Grafana.Example.com:${https}`],
    ['/api', 'grafana.example.com:3000'],
    [`https://grafana.example.com:${https}/api`, `grafana.example.com:${https}`],
  ] as const)
    expect([target, host, await ask(target, host)]).toEqual([target, host, 200])
})
