import { admin } from './gatehouse.ts'
import { expect, needs, openUser, test } from './protecting.ts'
import type { ProxyName } from './protecting-programs.ts'
import { type Answer, navigation, send, sendHead, upgrade } from './protecting-requests.ts'

// Runs the recipes of docs/protecting as users copy them: a real proxy, a real Prometheus, HTTPS and subdomains. Grafana and Netdata are
// replaced by a dashboard that trusts its proxy in the same way.

const ada = { username: 'ada@example.com', password: 'her first long password' }

const forged = {
  'remote-user': 'root@evil.example',
  'remote-email': 'root@evil.example',
  'remote-groups': 'administrators, evil',
  'x-webauth-user': 'root@evil.example',
  'gatehouse-assertion': 'evil',
  gatehouse_assertion: 'evil',
  remote_user: 'root@evil.example',
  x_webauth_user: 'root@evil.example',
  'remote.user': 'root@evil.example',
  'x.webauth.user': 'root@evil.example',
  'x-forwarded-for': '203.0.113.9',
  'x-forwarded-host': 'evil.example',
  'x-forwarded-proto': 'gopher',
  'x-forwarded-uri': '/evil',
  'x-forwarded-method': 'EVIL',
  'x-forwarded-prefix': '/evil',
  'x-real-ip': '203.0.113.9',
  forwarded: 'for=203.0.113.9;host=evil.example',
}

const told = [
  'content-security-policy',
  'strict-transport-security',
  'x-content-type-options',
  'referrer-policy',
  'cross-origin-opener-policy',
  'x-frame-options',
  'cache-control',
  'set-cookie',
]

/** The tests of a proxy's recipe. */
export const testRecipe = (proxy: ProxyName) => {
  test.describe(`behind ${proxy}`, () => {
    needs(proxy, 'prometheus')
    test.describe.configure({ mode: 'serial' })

    test('without a session, pages lead to sign-in and other requests are refused', async ({ site }) => {
      const grafana = site.at('grafana.example.com', '/d/x?y=1')
      const prometheus = site.at('prometheus.example.com', '/api/v1/query?query=up')
      const kinds = {
        'a script': { 'sec-fetch-mode': 'cors', accept: '*/*' },
        'a program': { accept: 'application/json' },
        'a forger': { ...forged },
        'a stream': { accept: 'text/event-stream' },
        'somebody else’s password': { authorization: 'Basic cm9vdDpyb290' },
        'a cookie of nobody’s': { cookie: '__Secure-gatehouse-check=AAAA.BBBB' },
        'a WebSocket': upgrade,
      }
      for (const url of [grafana, prometheus])
        for (const [kind, headers] of Object.entries(kinds)) {
          const answer = await send(url, { headers })
          expect({ kind, url, status: answer.status, location: answer.headers.location }).toEqual({
            kind,
            url,
            status: 401,
            location: undefined,
          })
          expect(JSON.parse(answer.text)).toEqual({ error: expect.any(String) })
        }
      const upload = await send(grafana, { method: 'POST', headers: navigation, body: 'x'.repeat(1_000_000) })
      expect(upload.status).toBe(401)
      for (const url of [grafana, prometheus]) {
        const answer = await send(url, { headers: { ...navigation, ...forged } })
        expect(answer.status).toBe(302)
        const location = new URL(answer.headers.location ?? '')
        expect(location.origin + location.pathname).toBe(site.at('sign-in.example.com', '/'))
        expect(answer.headers['cache-control']).toBe('no-store')
      }
      expect(site.dashboard.visits()).toBe(0)
    })

    test('the proxy forwards the sign-in page unchanged, with its security headers', async ({ site }) => {
      const [direct, through] = [await send(`http://127.0.0.1:${site.ports.gatehouse}/`), await send(site.at('sign-in.example.com', '/'))]
      const telling = ({ headers, text }: Answer) => ({ ...Object.fromEntries(told.map(name => [name, headers[name]])), text })
      expect(telling(through)).toEqual(telling(direct))
      expect(through.headers['content-security-policy']).toContain("default-src 'self'")
    })

    test('a sign-in returns to the requested address, headers cannot be forged or leak, and a sign-out ends access', async ({
      site,
      user,
      browser,
    }) => {
      test.setTimeout(60_000)
      const { page } = user
      // Debian's Prometheus redirects to another path for its pages.
      const pages = new URL((await fetch(`http://127.0.0.1:${site.ports.prometheus}/graph`)).url).pathname
      const asked = site.at('prometheus.example.com', `${pages}?g0.expr=time()%20%2F%201&g0.tab=1#at=noon`)
      const seen: string[] = []
      page.on('framenavigated', frame => frame === page.mainFrame() && seen.push(frame.url()))
      const refused: string[] = []
      page.on('response', answer => {
        if (seen.at(-1) === asked && ![200, 304, 404].includes(answer.status())) refused.push(`${answer.status()} ${answer.url()}`)
      })

      await test.step('signs in for the first time and sets up an authenticator app', async () => {
        await page.goto(asked)
        await user.fragmentIsKept()
        await user.signInFirst()
        await expect.poll(() => seen).toContain(asked)
      })

      await test.step('the dashboard works, including live queries', async () => {
        const execute = page.getByRole('button', { name: 'Execute' })
        await expect(execute)
          .toBeVisible({ timeout: 20_000 })
          .finally(() => expect(refused).toEqual([]))
        const query = page.waitForResponse(answer => answer.url().includes('/api/v1/query?'))
        await execute.click()
        expect((await query).status()).toBe(200)
        const now = async () => {
          const { status, text } = await user.ask('/api/v1/query?query=time()')
          expect(status).toBe(200)
          return Number(JSON.parse(text).data.result[1])
        }
        const before = await now()
        await expect.poll(now).toBeGreaterThan(before)
      })

      await test.step('Grafana receives the user name with pages and WebSockets', async () => {
        await page.goto(site.at('grafana.example.com', '/'))
        await expect(page.getByRole('heading', { name: `Hello ${admin.username}` })).toBeVisible()
        const greeting = await page.evaluate(
          () =>
            new Promise(resolve => {
              const socket = new WebSocket(`wss://${location.host}/api/live/ws`)
              socket.onmessage = ({ data }) => resolve(data)
              socket.onerror = () => resolve('refused')
            }),
        )
        expect(greeting).toBe(`Hello ${admin.username}`)
        for (const status of [401, 403]) {
          const own = await user.ask(`/status/${status}`)
          expect({ status: own.status, url: JSON.parse(own.text).url }).toEqual({ status, url: `/status/${status}` })
        }
      })

      await test.step("the proxy removes forged headers and Gatehouse's cookies, and forwards the rest, whatever its size", async () => {
        const own = await user.cookies(site.at('grafana.example.com', '/'))
        expect(own).toMatch(/^__Secure-gatehouse-check=[\w.-]{66}$/)
        expect(await user.cookies(site.at('sign-in.example.com', '/'))).toMatch(/__Host-gatehouse-session=[\w.-]{66}/)
        for (const [sent, passed] of [
          [`${own}; theme=dark`, 'theme=dark'],
          [`theme=dark;${own}`, 'theme=dark'],
          [
            `a=1; gatehouse-x=1;gatehouse-y="2";\t__Host-gatehouse-z=3; b=gatehouse-; my-gatehouse-c=2; ${own}`,
            'a=1, b=gatehouse-, my-gatehouse-c=2',
          ],
          [own, ''],
        ] as const) {
          const { text } = await send(site.at('grafana.example.com', '/'), { headers: { cookie: sent } })
          const arrived: string = JSON.parse(text).headers.cookie ?? ''
          expect(arrived.split(/; */).filter(Boolean).join(', ')).toBe(passed)
        }
        const many = Array.from({ length: 40 }, (_, i) => `gatehouse-${i}=${i}`).join('; ')
        const crowded = await send(site.at('grafana.example.com', '/'), { headers: { cookie: `${many}; ${own}; ${many}` } })
        expect(JSON.parse(crowded.text).headers.cookie ?? '').toBe('')
        const answer = await send(site.at('grafana.example.com', '/api/annotations?x=1'), {
          method: 'POST',
          headers: { ...forged, cookie: own, accept: 'application/json', 'transfer-encoding': 'chunked' },
          body: 'x'.repeat(2_000_000),
        })
        expect(answer.status).toBe(200)
        expect(answer.text).not.toMatch(/evil|EVIL|203\.0\.113\.9|gopher/)
        const { headers, bytes, url } = JSON.parse(answer.text)
        expect({ bytes, url }).toEqual({ bytes: 2_000_000, url: '/api/annotations?x=1' })
        expect(headers).toMatchObject({
          'remote-user': admin.username,
          'remote-email': admin.username,
          'remote-groups': 'administrators',
          'x-webauth-user': admin.username,
          'gatehouse-assertion': expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
          'x-forwarded-proto': 'https',
        })
      })

      await test.step('only upgrades to WebSocket pass, and headers named by Connection are not lost', async () => {
        const grafana = site.at('grafana.example.com', '/')
        const cookie = await user.cookies(grafana)
        const names = 'Remote-User, Remote-Email, Remote-Groups, X-WEBAUTH-USER, Gatehouse-Assertion, X-Forwarded-For, X-Forwarded-Proto'
        for (const protocol of ['h2c', 'H2C', 'h2c, websocket', 'websocket, h2c', 'websockets', 'TLS/1.0']) {
          const headers = { cookie, connection: `Upgrade, HTTP2-Settings, ${names}`, upgrade: protocol, 'http2-settings': 'AAMAAABk' }
          const { status, text } = await send(grafana, { headers })
          expect({ protocol, status }).toEqual({ protocol, status: 200 })
          expect(JSON.parse(text).headers.upgrade).toBeUndefined()
          expect(JSON.parse(text).headers.connection ?? '').not.toMatch(/upgrade|remote/i)
        }
        const { text } = await send(grafana, { headers: { cookie, connection: `close, ${names}` } })
        expect(JSON.parse(text).headers).toMatchObject({
          'remote-user': admin.username,
          'remote-email': admin.username,
          'remote-groups': 'administrators',
          'x-webauth-user': admin.username,
          'gatehouse-assertion': expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
          'x-forwarded-for': '127.0.0.1',
          'x-forwarded-proto': 'https',
        })
        const head = ['GET /api/live/ws HTTP/1.1', `Host: ${new URL(grafana).host}`, `Cookie: ${cookie}`]
        const key = ['Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==']
        const live = await sendHead(grafana, [...head, ...key, `Connection: keep-alive, Upgrade, ${names}`, 'Upgrade: WebSocket'])
        expect(live).toMatch(/^HTTP\/1\.1 101 /)
        expect(live).toContain(`Hello ${admin.username}`)
        const twice = await sendHead(grafana, [...head, ...key, 'Connection: Upgrade', 'Upgrade: h2c', 'Upgrade: websocket'])
        expect(twice).toMatch(/^HTTP\/1\.1 (101|200) /)
        expect(twice).not.toMatch(/h2c/i)
        const gate = new URL(site.at('sign-in.example.com', '/sockets'))
        const news = [`GET ${gate.pathname} HTTP/1.1`, `Host: ${gate.host}`, `Origin: ${gate.origin}`, ...key]
        expect(await sendHead(gate.href, [...news, 'Connection: Upgrade', 'Upgrade: websocket'])).toMatch(/^HTTP\/1\.1 101 /)
        // nginx drops this upgrade, and Caddy forwards it. Gatehouse refuses both requests.
        expect(await sendHead(gate.href, [...news, 'Connection: Upgrade', 'Upgrade: h2c'])).toMatch(/^HTTP\/1\.1 4(26|00) /)
      })

      await test.step('after a sign-out elsewhere, requests are refused and pages lead to sign-in', async () => {
        const tab = await user.context.newPage()
        await tab.goto(site.at('sign-in.example.com', '/account'))
        expect((await user.ask('/api/health')).status).toBe(200)
        const stolen = await user.cookies(site.at('grafana.example.com', '/'))
        await tab.getByRole('button', { name: 'Sign out', exact: true }).click()
        await expect(tab).toHaveURL(site.at('sign-in.example.com', '/'))
        await expect(tab.getByLabel('Email', { exact: true })).toBeVisible()
        const refused = await user.ask('/api/health')
        expect(refused).toMatchObject({ status: 401, type: expect.stringContaining('application/json') })
        expect((await send(site.at('grafana.example.com', '/'), { headers: { cookie: stolen } })).status).toBe(401)
        await page.reload()
        await expect(page.getByLabel('Email', { exact: true })).toBeVisible()
      })

      await test.step('another browser signs in with password and code', async () => {
        const context = await browser.newContext()
        const other = openUser(context, await context.newPage(), user.app)
        await other.page.goto(asked)
        const arrived = other.page.waitForURL(asked)
        await other.fragmentIsKept()
        await other.signInAgain()
        await arrived
        await context.close()
      })
    })

    test('a user without access gets an error page, and a script gets an error status', async ({ site, user }) => {
      const added = await site.gatehouse.command(['user', 'add', ada.username], `${ada.password}\n${ada.password}\n`)
      expect(added.code, added.said).toBe(0)
      const { page } = user
      await page.goto(site.at('grafana.example.com', '/d/a?b=c'))
      await user.signIn(ada)
      await page.getByRole('button', { name: 'Skip factor authentication' }).click()
      await expect(page).toHaveURL(site.at('grafana.example.com', '/d/a?b=c'))
      await expect(page.getByRole('heading', { name: `Hello ${ada.username}` })).toBeVisible()
      const cookie = await user.cookies(site.at('prometheus.example.com', '/'))
      const refused = await send(site.at('prometheus.example.com', '/api/v1/query?query=up'), { headers: { cookie } })
      expect(refused.status).toBe(403)
      expect(JSON.parse(refused.text)).toEqual({ error: expect.any(String) })
      const before = site.dashboard.visits()
      for (const [host, lacking] of [
        ['prometheus.example.com', ada.username],
        ['netdata.example.com', /second factor/i],
      ] as const) {
        await page.goto(site.at(host, '/graph'))
        await expect(page.getByRole('main').getByText(lacking).first()).toBeVisible()
        expect(new URL(page.url()).host).toBe(new URL(site.at('sign-in.example.com')).host)
      }
      expect(site.dashboard.visits()).toBe(before)
    })

    test('the proxy refuses every request while Gatehouse does not respond', async ({ site }) => {
      const before = site.dashboard.visits()
      const isShut = async (headers: Record<string, string>) => {
        const { status } = await send(site.at('grafana.example.com', '/'), { headers })
        expect(status).toBeGreaterThanOrEqual(500)
      }
      await test.step('Gatehouse hangs', async () => {
        site.gatehouse.signal('SIGSTOP')
        await isShut(navigation).finally(() => site.gatehouse.signal('SIGCONT'))
      })
      await test.step('Gatehouse is not running', async () => {
        await site.gatehouse.stop('SIGTERM')
        for (const headers of [navigation, { accept: 'application/json' }, upgrade]) await isShut(headers)
      })
      expect(site.dashboard.visits()).toBe(before)
      await site.gatehouse.start()
      expect((await send(site.at('sign-in.example.com', '/'))).status).toBe(200)
    })
  })
}
