import { expect, needs, test } from './protecting.ts'
import type { ProxyName } from './protecting-programs.ts'
import { change } from './protecting-recipes.ts'

// Each test puts one typical mistake into a recipe. A page must explain it in the browser, and the doctor must find it.

type Wrong = {
  name: string
  proxy: ProxyName
  hosts: 'names' | 'one'
  edit?: (recipe: string) => string
  settings?: (recipe: Record<string, string>) => Record<string, string>
  /** The address that the browser opens, and whether the user can sign in there. */
  open: { host: string; path: string; http?: boolean; signsIn?: boolean }
}

const wrongs: Wrong[] = [
  {
    name: 'cookie-not-passed-on',
    proxy: 'nginx',
    hosts: 'names',
    edit: text => change(text, ['proxy_set_header Content-Length "";', 'proxy_set_header Content-Length ""; proxy_set_header Cookie "";']),
    open: { host: 'grafana.example.com', path: '/d/x?y=1', signsIn: true },
  },
  {
    name: 'forwarded-headers',
    proxy: 'nginx',
    hosts: 'names',
    edit: text => change(text, ['proxy_set_header X-Forwarded-Host $host:$server_port;', 'proxy_set_header X-Forwarded-Host $proxy_host;']),
    open: { host: 'grafana.example.com', path: '/d/x?y=1' },
  },
  {
    name: 'not-protected',
    proxy: 'nginx',
    hosts: 'names',
    settings: recipe => ({ ...recipe, GATEHOUSE_PROTECTED_ORIGINS: (recipe.GATEHOUSE_PROTECTED_ORIGINS ?? '').replace(/^[^,]+, /, '') }),
    open: { host: 'grafana.example.com', path: '/d/x?y=1' },
  },
  {
    name: 'secure-cookie-on-http',
    proxy: 'caddy',
    hosts: 'names',
    edit: text => change(text, ['\ngrafana.example.com {', '\nhttp://grafana.example.com {']),
    open: { host: 'grafana.example.com', path: '/d/x?y=1', http: true },
  },
  {
    name: 'cookie-domain',
    proxy: 'caddy',
    hosts: 'names',
    edit: text => change(text, ['grafana.example.com', 'grafana.example.org']),
    open: { host: 'grafana.example.org', path: '/d/x?y=1' },
  },
  {
    name: 'sign-in-guarded',
    proxy: 'caddy',
    hosts: 'one',
    edit: text => change(text, ['handle /gate/*', 'handle_path /gate/*'], ['uri /gate/auth/forward', 'uri /auth/forward']),
    // The start page would not show the problem of the dashboard.
    settings: recipe => ({
      ...recipe,
      GATEHOUSE_PUBLIC_URL: (recipe.GATEHOUSE_PUBLIC_URL ?? '').replace('/gate', ''),
      GATEHOUSE_DASHBOARD_URL: `${recipe.GATEHOUSE_DASHBOARD_URL}graph`,
    }),
    open: { host: 'example.com', path: '/graph?x=1' },
  },
]

for (const { name, proxy, hosts, edit, settings, open: to } of wrongs)
  test(`${name}: a page explains it behind ${proxy}, and the doctor finds it`, async ({ open, user }) => {
    needs(proxy)
    const site = await open({
      proxy,
      hosts,
      ...(edit && { edit }),
      settings: recipe => ({ GATEHOUSE_SECOND_FACTOR: 'off', ...(settings ? settings(recipe) : recipe) }),
    })
    const { page } = user
    const address = to.http ? `http://${to.host}:${site.ports.http}${to.path}` : site.at(to.host, to.path)
    await page.goto(address)
    if (to.signsIn) await user.signIn()
    await expect(page.getByText(name)).toBeVisible()
    expect(site.dashboard.visits()).toBe(0)
    const { code, said } = await site.doctor(address)
    expect(said).toContain(name)
    expect(code).toBe(1)
  })

test('prefix-stripped: the doctor finds that the proxy removes a path prefix', async ({ open }) => {
  needs('caddy')
  const site = await open({ proxy: 'caddy', hosts: 'one', edit: text => change(text, ['\thandle {', '\thandle_path /metrics/* {']) })
  const { code, said } = await site.doctor(site.at('example.com', '/metrics/graph?x=1'))
  expect(said).toContain('prefix-stripped')
  expect(code).toBe(1)
})

test('the doctor reports no problem for a correct configuration', async ({ open }) => {
  needs('nginx')
  const site = await open({ proxy: 'nginx', hosts: 'names' })
  const { code, said } = await site.doctor(site.at('grafana.example.com', '/d/x?y=1'))
  expect(code, said).toBe(0)
})

/** Edits that remove the check, or stop forwarding Upgrade to Gatehouse. */
const edits = {
  nginx: {
    noCheck: (text: string) => change(text, ['auth_request /gatehouse-check;', 'auth_request off;']),
    noUpgrade: (text: string) =>
      change(text, ['proxy_set_header Upgrade $websocket_upgrade;\n        proxy_set_header Connection $websocket_connection;', '']),
  },
  caddy: {
    noCheck: (text: string) => change(text, ['\t\timport gatehouse\n', '']),
    noUpgrade: (text: string) => change(text, ['sign-in.example.com {\n', 'sign-in.example.com {\n\trequest_header -Upgrade\n']),
  },
}

for (const proxy of ['nginx', 'caddy'] satisfies ProxyName[]) {
  test(`no-check: the doctor finds an unprotected dashboard behind ${proxy}, even if it redirects or answers 401`, async ({ open }) => {
    needs(proxy)
    const site = await open({ proxy, hosts: 'names', edit: edits[proxy].noCheck })
    for (const path of ['/d/x?y=1', '/private', '/status/401']) {
      const { code, said } = await site.doctor(site.at('grafana.example.com', path))
      expect([path, /problem +protection +(\S+):/.exec(said)?.[1], code]).toEqual([path, 'no-check', 1])
      expect(said).not.toContain('not-ours')
    }
  })

  test(`upgrade-dropped: the doctor finds that ${proxy} does not forward WebSockets to Gatehouse`, async ({ open }) => {
    needs(proxy)
    test.setTimeout(60_000)
    const right = await open({ proxy, hosts: 'names' })
    const wrong = await open({ proxy, hosts: 'names', edit: edits[proxy].noUpgrade })
    for (const address of [undefined, '/d/x']) {
      const ask = async (site: typeof right) => (await site.doctor(address && site.at('grafana.example.com', address))).said
      expect(await ask(right)).toMatch(/ok +live updates +WebSocket connections to/)
      expect(await ask(wrong)).toMatch(/warning +live updates +upgrade-dropped: .* arrives as a plain request/)
    }
  })
}

for (const proxy of ['nginx', 'caddy'] satisfies ProxyName[])
  test(`${proxy} missing from GATEHOUSE_TRUSTED_PROXIES: the log warns once, and the doctor names the setting`, async ({ open, page }) => {
    needs(proxy)
    test.setTimeout(60_000)
    const right = await open({ proxy, hosts: 'names' })
    expect((await right.doctor()).said).toMatch(/ok +user address +Gatehouse sees requests from this machine at the address 127\.0\.0\.1\./)
    const wrong = await open({ proxy, hosts: 'names', settings: ({ GATEHOUSE_TRUSTED_PROXIES: _, ...recipe }) => recipe })
    for (let i = 0; i < 3; i++) await page.goto(wrong.at('sign-in.example.com', '/'))
    const { said, code } = await wrong.doctor()
    expect(said).toMatch(/problem +user address +.*set GATEHOUSE_TRUSTED_PROXIES=127\.0\.0\.1 and restart/)
    expect(code).toBe(1)
    const named = (log: string) => log.split('\n').filter(line => line.includes('X-Forwarded-For from 127.0.0.1 is ignored'))
    expect([named(wrong.gatehouse.log()).length, named(right.gatehouse.log()).length]).toEqual([1, 0])
    expect(named(wrong.gatehouse.log())[0]).toContain('GATEHOUSE_TRUSTED_PROXIES')
  })
