import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unclearSpellings } from '../packages/server/test/forward-auth/path-spellings.ts'
import { admin } from './gatehouse.ts'
import { expect, needs, test } from './protecting.ts'
import type { ProxyName } from './protecting-programs.ts'
import { navigation, send, sendHead } from './protecting-requests.ts'

const forged = {
  'remote-user': 'root@evil.example',
  'remote-email': 'root@evil.example',
  'remote-groups': 'administrators',
  'x-webauth-user': 'root@evil.example',
  'gatehouse-assertion': 'evil',
  remote_user: 'root@evil.example',
  'x-http-method-override': 'EVIL',
  'x-http-method': 'EVIL',
  'x-method-override': 'EVIL',
  x_http_method_override: 'EVIL',
}

const rulesFor = (port: number) => `
groups:
  oncall: [${admin.username}]
rules:
  - { to: 'https://grafana.example.com:${port}/admin{/*}?', deny: true }
  - { to: 'https://grafana.example.com:${port}/silences', methods: [POST], allow: group:other }
  - { to: 'https://grafana.example.com:${port}/private{/*}?', allow: group:oncall }
  - { to: 'https://grafana.example.com:${port}/danger/*', allow: users, require: { fresh: 30s } }
  - { to: 'https://grafana.example.com:${port}/*', allow: everyone }
`

/** Transformations that lenient programs apply to a path, in any order. */
const transformations: ((path: string) => string)[] = [
  path => path.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
  path => path.replace(/%u00([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
  path => Buffer.from(path, 'latin1').toString('utf8'),
  path => path.normalize('NFKC'),
  path => path.toLowerCase(),
  path => path.replace(/\\/g, '/'),
  path => path.replace(/;[^/]*/g, ''),
  path => path.replace(/[. ]+(?=\/|$)/g, match => (/^\.{1,2}$/.test(match) ? match : '')),
  path => path.replace(/[?#\0].*$/s, ''),
  path => path.replace(/\/{2,}/g, '/'),
  path => URL.parse(path, 'https://x.example')?.pathname ?? path,
]

/** Whether a program could treat this path as the denied path. */
const canBeAdmin = (path: string): boolean => {
  const seen = new Set([path])
  for (const one of seen) {
    if (/^\/admin(\/|$)/i.test(one)) return true
    if (seen.size < 2000) for (const transform of transformations) seen.add(transform(one))
  }
  return false
}

/** The tests of rules behind a proxy's recipe. */
export const testRules = (proxy: ProxyName) => {
  test.describe(`rules behind ${proxy}`, () => {
    needs(proxy)

    const plan = {
      proxy,
      hosts: 'names',
      settings: ({ GATEHOUSE_PROTECTED_ORIGINS: _, ...recipe }: Record<string, string>, ports: { https: number }) => {
        const file = join(mkdtempSync(join(tmpdir(), 'gatehouse-rules-')), 'rules.yaml')
        writeFileSync(file, rulesFor(ports.https))
        return { ...recipe, GATEHOUSE_RULES: file, GATEHOUSE_SECOND_FACTOR: 'off' }
      },
    } as const

    test('no spelling of a denied path reaches the dashboard, and public paths pass no forged identity', async ({ open, user }) => {
      test.setTimeout(180_000)
      const site = await open(plan)
      const grafana = site.at('grafana.example.com')
      const ask = async (path: string) => {
        const head = [`GET ${path} HTTP/1.1`, `Host: ${new URL(grafana).host}`, 'Accept: application/json', 'Connection: close']
        const answer = await sendHead(grafana, head)
        return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]), url: /"url":"((?:[^"\\]|\\.)*)"/.exec(answer)?.[1] }
      }

      await test.step('spellings', async () => {
        for (const control of ['/x/..;/admin', '/%2561dmin', '/x%5c..%5cadmin', '/ADMIN%00x', '/%ef%bc%8fadmin'])
          expect([control, canBeAdmin(control)]).toEqual([control, true])
        expect(canBeAdmin('/public/administrators')).toBe(false)
        expect(await ask('/public/x?y=/admin')).toEqual({ status: 200, url: '/public/x?y=/admin' })
        expect((await ask('/api/queues/%2F/q')).status).toBe(200)
        expect((await ask('/admin')).status).toBe(403)
        const more = [
          '/%61dmin',
          '/ADMIN/x',
          '//admin',
          '/%2Fadmin',
          '/x//..//admin',
          '/admin//',
          '/admin%2Fx',
          '/admin/?',
          '/admin?x',
          '///admin',
        ]
        const spellings = [...unclearSpellings, ...more].filter(path => path.startsWith('/') && !/[\r\n]/.test(path))
        expect(spellings.length).toBeGreaterThan(200)
        const reached = []
        for (const path of spellings) {
          const { status, url } = await ask(path)
          if (url !== undefined && canBeAdmin(JSON.parse(`"${url}"`).replace(/\?.*$/s, ''))) reached.push({ path, status, url })
          else if (status >= 500) reached.push({ path, status })
        }
        expect(reached).toEqual([])
      })

      await test.step('never passes on forged identity headers', async () => {
        const received = async (path: string, headers: Record<string, string>, method = 'GET') => {
          const { status, text } = await send(grafana + path, { method, headers: { accept: 'application/json', ...headers } })
          expect([path, status]).toEqual([path, 200])
          expect(text).not.toMatch(/evil/i)
          const names = ['remote-user', 'remote-email', 'remote-groups', 'x-webauth-user', 'gatehouse-assertion', 'x-http-method-override']
          return names.map(name => JSON.parse(text).headers[name])
        }
        const nothing = Array(6).fill(undefined)
        expect(await received('/public/x', forged)).toEqual(nothing)
        expect(await received('/public/x', { ...forged, cookie: '__Secure-gatehouse-check=AAAA.BBBB' })).toEqual(nothing)
        await user.page.goto(`${grafana}/private/x`)
        await user.signIn()
        await expect(user.page.getByRole('heading', { name: `Hello ${admin.username}` })).toBeVisible()
        const cookie = await user.cookies(grafana)
        expect(await received('/public/x', { ...forged, cookie })).toEqual([
          admin.username,
          admin.username,
          'administrators,oncall',
          admin.username,
          expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
          undefined,
        ])
        for (const headers of [{ cookie }, { cookie, 'x-forwarded-method': 'GET', 'x-http-method-override': 'GET' }])
          expect((await send(`${grafana}/silences`, { method: 'POST', headers })).status).toBe(403)
        const page = await send(`${grafana}/admin`, { headers: { ...navigation, cookie } })
        expect([page.status, page.headers.location]).toEqual([302, expect.stringContaining('/?return=')])
      })
    })

    test('a rule with fresh asks the user to sign in again, and returns to the exact address', async ({ open, user }) => {
      test.setTimeout(120_000)
      const site = await open(plan)
      const { page } = user
      const asked = site.at('grafana.example.com', '/danger/x?y=1#z')
      const dashboard = page.getByRole('heading', { name: `Hello ${admin.username}` })
      await page.goto(asked)
      await user.signIn()
      await expect(page).toHaveURL(asked)
      await expect(dashboard).toBeVisible()
      const ask = (path: string) =>
        page.evaluate(async path => {
          const { status, headers } = await fetch(path)
          return { status, challenge: headers.get('www-authenticate') }
        }, path)
      expect(await ask('/danger/y')).toEqual({ status: 200, challenge: null })
      await expect
        .poll(() => ask('/danger/y'), { timeout: 60_000, intervals: [1000] })
        .toEqual({
          status: 401,
          challenge: 'Bearer error="insufficient_user_authentication", error_description="A more recent sign-in is required", max_age="30"',
        })
      expect((await ask('/public/y')).status).toBe(200)

      const post = () =>
        page.evaluate(() => {
          const form = document.body.appendChild(document.createElement('form'))
          form.method = 'post'
          form.action = '/danger/form'
          form.submit()
        })
      await post()
      await page.waitForURL(site.at('grafana.example.com', '/danger/form'))
      if (proxy === 'caddy') {
        await expect(page.getByText('Nothing was sent.')).toBeVisible()
        const [tab] = await Promise.all([page.waitForEvent('popup'), page.getByRole('link', { name: 'Sign in again' }).click()])
        await expect(tab.getByLabel('Email', { exact: true })).toBeVisible()
        await tab.close()
      }

      await page.goto(asked)
      await expect(page.getByText('which asks you to sign in again')).toBeVisible()
      // Returning to the tab does not navigate away from the page.
      const other = await user.context.newPage()
      await other.bringToFront()
      await page.bringToFront()
      await user.signIn()
      await expect(page).toHaveURL(asked)
      await expect(dashboard).toBeVisible()
      expect((await ask('/danger/y')).status).toBe(200)
    })
  })
}
