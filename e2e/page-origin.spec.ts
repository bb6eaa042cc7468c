import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { freePort } from '../packages/server/test/support/free-port.ts'
import { expect, type Gatehouse, test } from './gatehouse.ts'

// A page of another origin embeds the widget. The real server allows or refuses that origin.
const script = join(import.meta.dirname, '../packages/sign-in/dist/page/gatehouse-sign-in.js')

/** Serves a host page. Every local host name leads to it. */
const serveHostPage = async (port: number, { url }: Gatehouse, mounts = 1) => {
  const code = await readFile(script, 'utf8')
  const options = JSON.stringify({ server: { scheme: 'http', host: 'localhost', port: new URL(url).port } })
  const html = `<!doctype html><html lang="en"><title>Host</title><link rel="icon" href="data:,"><div id="root"></div>
    <script src="widget.js"></script><script>for (let i = 0; i < ${mounts}; i++) Gatehouse.mountSignIn('#root', ${options})</script></html>`
  const server = createServer((request, response) => {
    const isScript = request.url === '/widget.js'
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html; charset=utf-8').end(isScript ? code : html)
  })
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  return () => {
    server.closeAllConnections()
    server.close()
  }
}

test.describe('a page of an origin that is not allowed', () => {
  test('the console names the server’s variable to set, once', async ({ page, gatehouse, consoleLines }) => {
    const port = await freePort()
    const close = await serveHostPage(port, gatehouse)
    await page.goto(`http://localhost:${port}/`)
    await page.getByLabel('Email').fill('ada@example.com')
    await expect.poll(() => consoleLines.length).toBe(1)
    // After the first message, a failed sign-in adds only Chromium's line about CORS.
    await page.getByLabel('Password', { exact: true }).fill('some password')
    await page.getByLabel('Password', { exact: true }).press('Enter')
    await expect(page.getByText('Something went wrong')).toBeVisible()
    expect(consoleLines.filter(line => line.includes('Gatehouse: '))).toEqual([
      `error: Gatehouse: sign-in does not work on this page: http://localhost:${port} is not in GATEHOUSE_ORIGINS of the server at ${gatehouse.url}`,
    ])
    consoleLines.length = 0
    close()
  })

  test('on another site, the console says that browsers block the cookies', async ({ page, gatehouse, consoleLines }) => {
    const port = await freePort()
    const close = await serveHostPage(port, gatehouse)
    await page.goto(`http://127.0.0.1:${port}/`)
    await page.getByLabel('Email').fill('ada@example.com')
    await expect.poll(() => consoleLines.length).toBe(1)
    const [line] = consoleLines.splice(0)
    expect(line).toContain(`http://127.0.0.1:${port} and the server at ${gatehouse.url} are different sites`)
    close()
  })
})

test.describe('a page of an allowed origin', () => {
  // `test.use` needs the port before any fixture is available.
  const port = 20_000 + Math.floor(Math.random() * 10_000)
  test.use({ settings: { GATEHOUSE_ORIGINS: `http://localhost:${port}` } })

  test('signs in, and the console warns only about the second mount', async ({ page, gatehouse, consoleLines }) => {
    const close = await serveHostPage(port, gatehouse, 3)
    const asked = page.waitForResponse(/\/origin\/check$/)
    await page.goto(`http://localhost:${port}/`)
    expect(await page.locator('[data-gatehouse]').count()).toBe(1)
    await page.getByLabel('Email').fill('admin@example.com')
    expect((await asked).status()).toBe(200)
    await page.getByLabel('Password', { exact: true }).fill('correct horse battery staple')
    await page.getByLabel('Password', { exact: true }).press('Enter')
    await expect(page).toHaveURL(`${gatehouse.url}/account`)
    expect(consoleLines.splice(0)).toEqual(['error: Gatehouse: sign-in is already mounted in this element; unmount it first'])
    close()
  })
})
