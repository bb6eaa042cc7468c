import { once } from 'node:events'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { expect, needs, test } from './protecting.ts'
import type { ProxyName } from './protecting-programs.ts'
import { change } from './protecting-recipes.ts'
import { send, sendHead } from './protecting-requests.ts'

// No client input may change which address the check evaluates, or how the application interprets the request.

const rulesFor = (origin: string) => `
rules:
  - { to: '${origin}/admin{/*}?', deny: true }
  - { to: '${origin}/public/*', allow: everyone }
  - { to: '${origin}/metrics', allow: pass }
  - { to: '${origin}/*', allow: users }
`

const hosts = {
  names: { application: 'grafana.example.com', gatehouse: 'sign-in.example.com', below: '' },
  one: { application: 'example.com', gatehouse: 'example.com', below: '/gate' },
}
type Hosts = keyof typeof hosts

const planOf = (proxy: ProxyName, layout: Hosts, edit = (text: string) => text) => ({
  proxy,
  hosts: layout,
  edit,
  settings: ({ GATEHOUSE_PROTECTED_ORIGINS: _, ...recipe }: Record<string, string>, ports: { https: number }) => {
    const file = join(mkdtempSync(join(tmpdir(), 'gatehouse-forgery-')), 'rules.yaml')
    writeFileSync(file, rulesFor(`https://${hosts[layout].application}:${ports.https}`))
    return { ...recipe, GATEHOUSE_RULES: file, GATEHOUSE_SECOND_FACTOR: 'off' }
  },
})

/** Headers from which some programs take the path, the method, the user, the port or the client's address. */
const misleading = [
  ...['X-Original-URL', 'X-Original-URI', 'X-Rewrite-URL', 'X-Forwarded-Path', 'X-Forwarded-Prefix', 'X-Forwarded-Uri'],
  ...['X-Script-Name', 'Script-Name', 'SCRIPT_NAME', 'Path-Info', 'PATH_INFO', 'X-Original-Method', 'X-Forwarded-Method'],
  ...['X-Forwarded-User', 'X-Forwarded-Email', 'X-Forwarded-Groups', 'X-Remote-User', 'X-Auth-Request-User', 'X-Auth-Request-Email'],
  ...['Remote-Name', 'X-Forwarded-Port', 'X-Forwarded-Scheme', 'X-Forwarded-Server', 'Forwarded', 'Forwarded-For', 'X-Forwarded-For'],
  ...['True-Client-IP', 'CF-Connecting-IP', 'CF-Connecting-IPv6', 'X-Client-IP', 'Client-IP', 'X-Cluster-Client-IP', 'X-Real-IP'],
  ...['Fastly-Client-IP', 'Fly-Client-IP', 'X-Appengine-Remote-Addr', 'X-Original-Forwarded-For'],
]

const layouts = (['nginx', 'caddy'] satisfies ProxyName[]).flatMap(proxy =>
  (['names', 'one'] satisfies Hosts[]).map(layout => [proxy, layout] as const),
)

for (const [proxy, layout] of layouts)
  test(`forged headers change neither the checked path nor the forwarded request behind ${proxy} (${layout})`, async ({ open }) => {
    needs(proxy)
    test.setTimeout(60_000)
    const { application, gatehouse, below } = hosts[layout]
    const site = await open(planOf(proxy, layout))
    const [app, gate] = [site.at(application), site.at(gatehouse)]
    const made = await site.gatehouse.cli('pass', 'add', 'backup', '--to', `${app}/metrics`)
    const pass = `Authorization: Bearer ${made.split('\n')[0]}`
    const ask = async (address: string, path: string, ...more: string[]) => {
      const answer = await sendHead(address, [`GET ${path} HTTP/1.1`, `Host: ${new URL(address).host}`, 'Connection: close', ...more])
      return { answer, status: Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]) }
    }

    await test.step('X-Forwarded-Prefix cannot apply a looser rule to a path', async () => {
      const before = site.dashboard.visits()
      for (const [path, status] of [
        ['/admin', 403],
        ['/admin/x', 403],
        ['/x', 401],
      ] as const)
        for (const prefix of ['/public', '/metrics', '/public/'])
          for (const more of [[], [pass]]) {
            const { status: answered } = await ask(app, path, `X-Forwarded-Prefix: ${prefix}`, ...more)
            // The server answers 403 to a pass that is valid for other addresses only.
            expect([path, prefix, more.length, answered]).toEqual([path, prefix, more.length, more.length ? 403 : status])
          }
      expect(site.dashboard.visits()).toBe(before)
    })

    await test.step('the application receives no header that programs take for the path, the method, the user or the address', async () => {
      const { answer, status } = await ask(app, '/public/x', ...misleading.map(name => `${name}: /evil`))
      expect(status).toBe(200)
      expect(answer).toContain('"url":"/public/x"')
      expect(answer).not.toContain('evil')
    })

    await test.step('no query gives a visitor an identity', async () => {
      for (const query of ['omit-empty', 'omit-empty=1&x', '%6fmit-empty']) {
        const { answer, status } = await ask(app, `/public/x?${query}`)
        expect([query, status]).toEqual([query, 200])
        expect(answer).not.toMatch(/remote-user|reverse_proxy/i)
      }
    })

    await test.step('the application never receives a pass, even next to another Authorization header', async () => {
      const own = 'Authorization: Basic eDp5'
      const byPass = await ask(app, '/metrics', pass)
      expect(byPass.status).toBe(200)
      for (const path of ['/metrics', '/public/x'])
        for (const lines of [
          [own, pass],
          [pass, own],
        ])
          expect((await ask(app, path, ...lines)).answer).not.toContain('gh_pass_')
      expect(JSON.parse((await send(`${app}/public/x`, { headers: { authorization: 'Basic eDp5' } })).text).authorizations).toEqual([
        'Basic eDp5',
      ])
    })

    await test.step('clients cannot call the check, but still reach other addresses of Gatehouse', async () => {
      const asked = [pass, 'X-Forwarded-Uri: /metrics', 'X-Forwarded-Method: GET']
      for (const check of ['/auth/request', '/auth/forward'])
        for (const path of [
          check,
          `${check}?x`,
          `${check}/`,
          `${check}/omit-empty`,
          `/${check}`,
          `/x/..${check}`,
          check.replace('auth', '%61uth'),
        ]) {
          const { answer, status } = await ask(gate, below + path, ...asked)
          expect([path, status]).toEqual([path, 404])
          expect(answer).not.toMatch(/gatehouse-assertion/i)
          const named = `https://${new URL(gate).host}${below}${path}`
          const lines = [`GET ${named} HTTP/1.1`, `Host: ${new URL(app).host}`, 'Connection: close', ...asked]
          const other = await sendHead(gate, lines)
          expect([named, other.slice(9, 12)]).toEqual([named, expect.stringMatching(/404|421/)])
        }
      const call = { method: 'POST', headers: { 'content-type': 'application/json', origin: new URL(gate).origin }, body: '{}' }
      expect((await send(`${gate}${below}/auth/page/plow/getAuthTokenWithError`, call)).status).toBe(400)
      expect((await send(`${gate}${below}/`)).status).toBe(200)
    })

    await test.step('the application receives an upload while it is being sent', async () => {
      const before = site.dashboard.visits()
      const port = site.ports.https
      const socket = connect({ host: '127.0.0.1', port, servername: application, rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] })
      const head = ['POST /public/slow HTTP/1.1', `Host: ${new URL(app).host}`, 'Content-Length: 2', 'Connection: close']
      socket.write(`${head.join('\r\n')}\r\n\r\nx`)
      await expect.poll(site.dashboard.visits, { timeout: 5000 }).toBe(before + 1)
      const answer = once(socket, 'data')
      socket.write('x')
      expect(String(await answer)).toMatch(/^HTTP\/1\.1 200 /)
      socket.destroy()
    })
  })

/** Edits that let clients reach the check, as an operator's own `location` block might. */
const opened = {
  nginx: (text: string) => change(text, ['location ~* ^/gate/auth/(request|forward) {', 'location = /not-here {']),
  caddy: (text: string) => change(text, ['respond @check 404', '']),
}

for (const proxy of ['nginx', 'caddy'] satisfies ProxyName[])
  test(`a client that reaches the check cannot choose the checked address behind ${proxy}`, async ({ open }) => {
    needs(proxy)
    const site = await open(planOf(proxy, 'one', opened[proxy]))
    const app = site.at('example.com')
    const [pass] = (await site.gatehouse.cli('pass', 'add', 'backup', '--to', `${app}/metrics`)).split('\n')
    const headers = { authorization: `Bearer ${pass}`, 'x-forwarded-uri': '/metrics', 'x-forwarded-method': 'GET' }
    for (const check of ['request', 'forward']) {
      const answer = await send(`${app}/gate/auth/${check}`, { headers })
      expect([check, answer.status, answer.headers['gatehouse-assertion']]).toEqual([check, 403, undefined])
    }
  })
