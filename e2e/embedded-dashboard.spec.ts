import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { admin, expect, test } from './gatehouse.ts'

// A single-page dashboard on another origin of the same site. It keeps its page after the sign-in, under a strict policy.
const script = join(import.meta.dirname, '../packages/sign-in/dist/page/gatehouse-sign-in.js')

/** The dashboard's own script. */
const start = (server: { scheme: string; host: string; port: string }) => `
  const server = ${JSON.stringify(server)}
  globalThis.heard = { next: [], states: [], events: [] }
  addEventListener('gatehouse-signed-in', event => {
    event.preventDefault()
    heard.next.push(event.detail)
    heard.stop = Gatehouse.watchSession(state => heard.states.push(state), server)
  })
  addEventListener('gatehouse-event', event => heard.events.push(event.detail))
  globalThis.ask = () => Gatehouse.getSession(server)
  globalThis.leave = () => Gatehouse.signOut(server)`

type Heard = { next: unknown[]; states: string[]; events: { type: string }[] }
const heard = (page: Page) => page.evaluate(() => (globalThis as unknown as { heard: Heard }).heard)
const ask = (page: Page) => page.evaluate(() => (globalThis as unknown as { ask: () => Promise<string> }).ask())

/** Serves the dashboard with two widgets. */
const serveDashboard = async (port: number, url: string) => {
  const { hostname, port: serverPort, origin } = new URL(url)
  const files: Record<string, [type: string, body: string]> = {
    '/widget.js': ['text/javascript', await readFile(script, 'utf8')],
    '/start.js': ['text/javascript', start({ scheme: 'http', host: hostname, port: serverPort })],
    '/': [
      'text/html; charset=utf-8',
      `<!doctype html><html lang="en"><title>Dashboard</title><link rel="icon" href="data:,"><script src="start.js"></script>
       <section id="first"><gatehouse-sign-in server="${url}"></gatehouse-sign-in></section>
       <section id="second"><gatehouse-sign-in server="${url}" providers=""></gatehouse-sign-in></section>
       <script src="widget.js"></script></html>`,
    ],
  }
  const policy = `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src ${origin} ${origin.replace('http', 'ws')}; require-trusted-types-for 'script'; trusted-types 'none'; base-uri 'none'; form-action 'none'`
  const server = createServer((request, response) => {
    const [type, body] = files[request.url ?? ''] ?? ['text/plain', '']
    response.writeHead(200, { 'content-type': type, 'content-security-policy': policy }).end(body)
  })
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  return () => {
    server.closeAllConnections()
    server.close()
  }
}

test.describe('a dashboard on another origin of the same site', () => {
  test.describe.configure({ timeout: 60_000 })
  // Choose the port here, because the settings need it before any fixture is available.
  const port = 20_000 + Math.floor(Math.random() * 10_000)
  test.use({ settings: { GATEHOUSE_ORIGINS: `http://localhost:${port}` } })

  test('keeps its page after the sign-in, and learns at once that the session ended in another tab', async ({
    page,
    gatehouse,
    context,
  }) => {
    const close = await serveDashboard(port, gatehouse.url)
    const home = `http://localhost:${port}/`
    await page.goto(home)
    expect(await ask(page)).toBe('signed-out')

    const second = page.locator('#second')
    await second.getByLabel('Email').fill(admin.username)
    await second.getByLabel('Password', { exact: true }).fill(admin.password)
    await second.getByLabel('Password', { exact: true }).press('Enter')
    await expect.poll(async () => (await heard(page)).states).toEqual(['signed-in'])
    expect(page.url()).toBe(home)
    const { next, events } = await heard(page)
    expect(next).toEqual([{ to: 'Dashboard', address: `${gatehouse.url}/account` }])
    expect(events.map(({ type }) => type)).toEqual(['page-shown', 'page-shown', 'attempt', 'outcome', 'signed-in'])
    // The other widget of the page has its own fields.
    await expect(page.locator('#first').getByLabel('Email')).toHaveValue('')
    const ids = await page.locator('[id]').evaluateAll(elements => elements.map(({ id }) => id))
    expect(new Set(ids).size).toBe(ids.length)
    // The session is in cookies that scripts cannot read.
    expect(await page.evaluate(() => [document.cookie.includes('session'), Object.keys(sessionStorage).length])).toEqual([false, 0])

    const account = await context.newPage()
    await account.goto(`${gatehouse.url}/account`)
    await account.getByRole('button', { name: 'Sign out' }).click()
    await expect.poll(async () => (await heard(page)).states, { timeout: 5000 }).toEqual(['signed-in', 'signed-out'])
    expect(await ask(page)).toBe('signed-out')
    close()
  })

  test('signs out, and a page of an unlisted origin can neither read nor end the session', { tag: '@long' }, async ({
    page,
    gatehouse,
    context,
    consoleLines,
  }) => {
    const close = await serveDashboard(port, gatehouse.url)
    await page.goto(`http://localhost:${port}/`)
    const first = page.locator('#first')
    await first.getByLabel('Email').fill(admin.username)
    await first.getByLabel('Password', { exact: true }).fill(admin.password)
    await first.getByLabel('Password', { exact: true }).press('Enter')
    await expect.poll(async () => (await heard(page)).states).toEqual(['signed-in'])

    const stranger = await context.newPage()
    const closeOther = await serveDashboard(port + 1, gatehouse.url)
    await stranger.goto(`http://localhost:${port + 1}/`)
    expect(await ask(stranger)).toBe('unknown')
    expect(await stranger.evaluate(() => (globalThis as unknown as { leave: () => Promise<boolean> }).leave())).toBe(false)
    closeOther()
    expect(await ask(page)).toBe('signed-in')

    expect(await page.evaluate(() => (globalThis as unknown as { leave: () => Promise<boolean> }).leave())).toBe(true)
    await expect.poll(async () => (await heard(page)).states).toEqual(['signed-in', 'signed-out'])
    expect((await context.cookies()).map(({ name }) => name)).not.toContain('gatehouse-session')
    consoleLines.length = 0
    close()
  })
})
