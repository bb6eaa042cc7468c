import { expect, needs, test } from './protecting.ts'
import type { ProxyName } from './protecting-programs.ts'
import { change } from './protecting-recipes.ts'

// The server's tests of the alarm cover more faults and its timing. Here, the doctor makes the alarm's requests through real proxies.

const alarm = (recipe: Record<string, string>) => ({ ...recipe, GATEHOUSE_OPEN_DOOR_ALARM: 'on' })

/** What the doctor reports about each host, without ports and advice. */
const saidOf = (said: string) =>
  Object.fromEntries(
    [
      ...said.matchAll(
        /^\s*(?:ok|warning|problem) +open doors +https:\/\/([a-z-]+)\.\S*?:\d+(\S*) (refuses requests|[^:]*?\. The answer: [^.,:]*)/gm,
      ),
    ].map(([, host = '', path = '', finding = '']) => [
      host,
      finding === 'refuses requests' ? 'closed' : `${path.replace(/:$/, '')} ${finding}`,
    ]),
  )
const closed = { 'sign-in': 'closed', grafana: 'closed', prometheus: 'closed', netdata: 'closed' }
const answered = (path: string, status: number) =>
  `${path} A request without a sign-in got an answer instead of a refusal. The answer: status ${status}`
const skipped = (path: string, status: number) =>
  `${path} A request without a sign-in was refused, but the answer does not show that the proxy asked Gatehouse just now. The answer: status ${status}`

for (const proxy of ['nginx', 'caddy'] satisfies ProxyName[])
  for (const hosts of ['names', 'one'] as const)
    test(`${proxy}, ${hosts === 'one' ? 'one host' : 'subdomains'}: the doctor finds that the proxy asks Gatehouse about every origin`, async ({
      open,
    }) => {
      needs(proxy)
      const site = await open({ proxy, hosts, settings: alarm })
      const { said } = await site.doctor()
      expect(saidOf(said)).toEqual(hosts === 'names' ? closed : { example: 'closed' })
    })

const inNginx: [name: string, edit: (recipe: string) => string, found: string][] = [
  ['no check', text => change(text, ['auth_request /gatehouse-check;', 'auth_request off;']), answered('/', 200)],
  [
    'a location without a check',
    text =>
      change(text, [
        '    # The check before every request.',
        '    location /gatehouse-probe { auth_request off; proxy_pass http://$dashboard; }\n    # The check before every request.',
      ]),
    answered('/gatehouse-probe', 200),
  ],
  ['a fixed 401 before the check', text => change(text, ['auth_request /gatehouse-check;', 'return 401;']), skipped('/', 401)],
  [
    'a cache of the check',
    text =>
      `proxy_cache_path <folder>/cache keys_zone=checks:1m;\n${change(text, [
        'proxy_pass_request_body off;',
        'proxy_cache checks; proxy_cache_valid any 5m; proxy_cache_key $host$request_uri; proxy_ignore_headers Cache-Control; proxy_pass_request_body off;',
      ])}`,
    skipped('/', 302),
  ],
  [
    'a check that does not get the header',
    text =>
      change(text, [
        'proxy_pass_request_body off;',
        'proxy_pass_request_headers off; proxy_set_header Accept text/html; proxy_pass_request_body off;',
      ]),
    skipped('/', 302),
  ],
]
for (const [name, edit, found] of inNginx)
  test(`nginx with ${name}: the alarm finds it`, async ({ open }) => {
    needs('nginx')
    const site = await open({ proxy: 'nginx', hosts: 'names', edit, settings: alarm })
    const { said, code } = await site.doctor()
    expect(saidOf(said)).toEqual({ 'sign-in': 'closed', grafana: found, prometheus: found, netdata: found })
    expect(code).toBe(1)
  })

test('caddy with three faults: the alarm finds each, and no other', async ({ open }) => {
  needs('caddy')
  const at = (host: string) => `\n${host}.example.com {\n\troute {\n\t\timport gatehouse\n`
  const site = await open({
    proxy: 'caddy',
    hosts: 'names',
    edit: text =>
      change(
        text,
        [at('grafana'), at('grafana').replace('\t\timport gatehouse\n', '')],
        [at('prometheus'), at('prometheus').replace('import gatehouse', 'redir https://{hostport}{uri}')],
        [at('netdata'), at('netdata').replace('import gatehouse', 'redir https://elsewhere.example.net/')],
      ),
    settings: alarm,
  })
  const { said } = await site.doctor()
  expect(saidOf(said)).toEqual({
    'sign-in': 'closed',
    grafana: answered('/', 200),
    prometheus: '/ A request was redirected back to where it came from, so users cannot sign in. The answer: status 302',
    netdata: '/ A request without a sign-in was redirected to another place than the sign-in of Gatehouse. The answer: status 302',
  })
})
