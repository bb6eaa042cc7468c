import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { admin } from './gatehouse.ts'
import { expect, needs, test } from './protecting.ts'
import { type ProxyName, programs } from './protecting-programs.ts'
import type { Ports } from './protecting-recipes.ts'
import { send } from './protecting-requests.ts'

const rulesFor = ({ https }: Ports) => `
rules:
  - { to: 'https://prometheus.example.com:${https}/metrics', allow: pass }
  - { to: 'https://prometheus.example.com:${https}/*', allow: [users, pass] }
  - { to: 'https://grafana.example.com:${https}/closed/*', allow: users }
  - { to: 'https://grafana.example.com:${https}/*', allow: [users, pass] }
`

/** A forward proxy that resolves every host name to this machine, for programs that would otherwise use DNS. */
const startForwardProxy = async () => {
  const server = createServer()
  server.on('connect', (request, client) => {
    const upstream = connect(Number(new URL(`http://${request.url}`).port), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n')
      client.pipe(upstream).pipe(client)
    })
    for (const socket of [client, upstream]) socket.on('error', () => [client, upstream].map(one => one.destroy()))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, stop: () => server.close() }
}

const run = async (program: string, args: string[], more: Record<string, string> = {}) => {
  const env = { PATH: process.env.PATH ?? '', LD_LIBRARY_PATH: process.env.GATEHOUSE_TEST_LIBRARIES ?? '', ...more }
  return (await promisify(execFile)(program, args, { env, timeout: 20_000 })).stdout
}

/** The tests of passes behind a proxy's recipe. */
export const testPasses = (proxy: ProxyName) => {
  test.describe(`passes behind ${proxy}`, () => {
    needs(proxy, 'prometheus', 'promtool', 'curl')

    test('programs reach protected applications with a pass, and the applications never receive it', async ({ open, user }) => {
      test.setTimeout(120_000)
      const folder = mkdtempSync(join(tmpdir(), 'gatehouse-passes-'))
      const [rules, credentials] = [join(folder, 'rules.yaml'), join(folder, 'pass')]
      const forward = await startForwardProxy()
      const site = await open({
        proxy,
        hosts: 'names',
        prometheus: ({ https }) => `
global: { scrape_interval: 1s }
scrape_configs:
  - job_name: protected
    scheme: https
    static_configs: [{ targets: ['prometheus.example.com:${https}'] }]
    authorization: { credentials_file: ${credentials} }
    tls_config: { insecure_skip_verify: true }
    proxy_url: ${forward.url}
`,
        settings: ({ GATEHOUSE_PROTECTED_ORIGINS: _, ...recipe }, ports) => {
          writeFileSync(rules, rulesFor(ports))
          return { ...recipe, GATEHOUSE_RULES: rules, GATEHOUSE_SECOND_FACTOR: 'off' }
        },
      })
      const [grafana, prometheus] = [site.at('grafana.example.com'), site.at('prometheus.example.com')]
      const add = async (service: string, ...scope: string[]) =>
        (await site.gatehouse.cli('pass', 'add', service, '--to', ...scope)).split('\n')[0] ?? ''
      const scraper = await add('prometheus', `${prometheus}/*`)
      const backup = await add('backup', `${grafana}/*`, '--methods', 'GET')
      const received = async (path: string, headers: Record<string, string>) => {
        const { status, text } = await send(grafana + path, { headers: { accept: 'application/json', ...headers } })
        expect([path, status]).toEqual([path, 200])
        return JSON.parse(text).headers
      }

      await test.step('the proxy removes the pass, and forwards the identity of its owner', async () => {
        for (const authorization of [`Bearer ${backup}`, `bearer ${backup}`, `Basic ${Buffer.from(`any:${backup}`).toString('base64')}`]) {
          const headers = await received('/api/x', { authorization, 'gatehouse-pass': 'no', 'remote-user': 'root@evil.example' })
          expect(JSON.stringify(headers)).not.toMatch(/gh_pass|evil/)
          expect([headers.authorization ?? '', headers['gatehouse-pass'], headers['remote-user'], headers['remote-groups']]).toEqual([
            '',
            undefined,
            'backup@service.invalid',
            'services',
          ])
        }
      })

      await test.step('a pass opens only its own addresses and methods', async () => {
        const statusOf = async (url: string, pass: string, method = 'GET') =>
          (await send(url, { method, headers: { authorization: `Bearer ${pass}` } })).status
        const before = site.dashboard.visits()
        expect(await statusOf(`${grafana}/api/x`, scraper)).toBe(403)
        expect(await statusOf(`${grafana}/closed/x`, backup)).toBe(403)
        expect(await statusOf(`${grafana}/api/x`, backup, 'POST')).toBe(403)
        expect(await statusOf(`${grafana}/api/x`, `${backup.slice(0, -1)}x`)).toBe(401)
        expect(await statusOf(site.at('sign-in.example.com', '/account'), backup)).toBe(303)
        expect(site.dashboard.visits()).toBe(before)
      })

      await test.step('with a session, the application receives its own Authorization', async () => {
        await user.page.goto(`${grafana}/d/x`)
        await user.signIn()
        await expect(user.page.getByRole('heading', { name: `Hello ${admin.username}` })).toBeVisible()
        const cookie = await user.cookies(grafana)
        for (const authorization of ['Bearer glsa_xyz', 'Basic cm9vdDpyb290', 'ApiKey xyz']) {
          const headers = await received('/api/x', { cookie, authorization, 'gatehouse-pass': 'yes' })
          expect([headers.authorization, headers['gatehouse-pass'], headers['remote-user']]).toEqual([
            authorization,
            undefined,
            admin.username,
          ])
        }
        const before = site.dashboard.visits()
        for (const authorization of [`ApiKey ${backup}`, `Bearer a, Bearer ${backup}`, 'ApiKey gh_pass_x'])
          expect((await send(`${grafana}/api/x`, { headers: { cookie, authorization } })).status).toBe(401)
        expect(site.dashboard.visits()).toBe(before)
      })

      await test.step('curl reaches the application with a pass', async () => {
        const here = ['--silent', '--insecure', '--connect-to', '::127.0.0.1:', '--header', 'Accept: application/json']
        for (const args of [
          ['--header', `Authorization: Bearer ${backup}`],
          ['--user', `:${backup}`],
        ]) {
          const { headers } = JSON.parse(await run(programs.curl, [...here, ...args, `${grafana}/api/x`]))
          expect([headers.authorization ?? '', headers['remote-user']]).toEqual(['', 'backup@service.invalid'])
        }
      })

      await test.step('Prometheus scrapes a protected target, and promtool queries it', async () => {
        // Older versions of promtool have no option for an HTTP configuration file.
        const query = async (pass: string) => {
          const address = prometheus.replace('https://', `https://:${pass}@`)
          const env = { HTTPS_PROXY: forward.url, SSL_CERT_FILE: site.authority }
          return run(programs.promtool, ['query', 'instant', address, 'up{job="protected"}'], env).catch(String)
        }
        expect(await query(backup)).toContain('client error: 403')
        await expect.poll(() => query(scraper), { timeout: 20_000 }).toContain('=> 0 @')
        writeFileSync(credentials, scraper)
        await expect.poll(() => query(scraper), { timeout: 20_000 }).toContain('=> 1 @')
      })

      await test.step('an ended pass opens nothing', async () => {
        const listed = await site.gatehouse.cli('pass', 'list')
        const [id = ''] =
          listed
            .split('\n')
            .find(line => line.includes('service backup'))
            ?.split('  ') ?? []
        await site.gatehouse.cli('pass', 'end', id)
        expect((await send(`${grafana}/api/x`, { headers: { authorization: `Bearer ${backup}` } })).status).toBe(401)
      })
      forward.stop()
    })
  })
}
