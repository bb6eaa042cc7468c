import { readFile, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { startMock } from '@gatehouse/mock'
import type { Page } from '@playwright/test'
import { freePort } from '../packages/server/test/support/free-port.ts'
import { expect, test } from './console.ts'
import { createPackedApp, forBundlers, node, readmeExample, root } from './packed-app.ts'

// What a developer does first: the example at the top of the README, in a new application, against the mock.

const page = `<!doctype html><html lang="en"><title>Acme</title><link rel="icon" href="data:,"><div id="root"></div>
  <script type="module" src="/src/main.tsx"></script></html>`
const logo = '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="24"><rect width="80" height="24"/></svg>'
/** One mistake per line. */
const mistakes = `import { mountSignIn, SignIn } from '@gatehouse/sign-in'
export const logo = <SignIn logo="/acme.svg" />
export const accent = <SignIn accent="#0b6b5d" />
mountSignIn('#root', { logo: '/acme.svg' })
mountSignIn('#root', { accent: '#0b6b5d' })
`

const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' }

/** Serves what Vite built. Vite's own preview would change the environment of later tests in this process. */
const serve = async (folder: string) => {
  const server = createServer(async ({ url = '/' }, response) => {
    const file = url === '/' ? '/index.html' : url
    const body = await readFile(join(folder, file)).catch(() => undefined)
    response.writeHead(body ? 200 : 404, { 'content-type': types[extname(file)] ?? 'text/plain' }).end(body)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return server
}

test.describe('@long', () => {
  test.describe.configure({ mode: 'serial', timeout: 120_000 })
  let folder = ''
  let site: Server
  let port = 0
  let mockPort = 0

  test.beforeAll(async () => {
    test.setTimeout(120_000)
    mockPort = await freePort()
    const example = await readmeExample()
    expect(example).toContain('port: 8080')
    const created = await createPackedApp({
      'src/main.tsx': example.replace('port: 8080', `port: ${mockPort}`),
      'index.html': page,
      'public/acme.svg': logo,
      'mistakes.tsx': mistakes,
      'tsconfig.json': JSON.stringify({ compilerOptions: forBundlers, files: ['mistakes.tsx'] }),
    })
    folder = created.folder
    await node('vite/bin/vite.js', ['build', '--logLevel', 'error'], folder)
    site = await serve(join(folder, 'dist'))
    port = (site.address() as AddressInfo).port
  })
  test.afterAll(async () => {
    site?.closeAllConnections()
    site?.close()
    await rm(folder, { recursive: true, force: true })
  })

  const signIn = async (page: Page) => {
    await page.getByLabel('Email').fill('anyone@example.com')
    await page.getByLabel('Password', { exact: true }).fill('anything')
    await page.getByRole('button', { name: 'Continue' }).click()
  }
  /** Takes the lines that Gatehouse logged. The browser adds one for each failed request. */
  const gatehouseLines = (lines: string[]) => lines.splice(0).filter(line => line.includes('Gatehouse: '))

  test('shows the logo, the accent, the text and the footer, and follows the session', async ({ page, consoleLines }) => {
    const mock = await startMock({ port: mockPort })
    try {
      await page.goto(`http://localhost:${port}/`)
      await expect(page.getByRole('heading', { name: 'Sign in to Acme' })).toBeVisible()
      const picture = page.getByRole('img', { name: 'Acme' })
      expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(80)
      await expect(page.getByRole('button', { name: 'Continue' })).toHaveCSS('background-color', 'rgb(11, 107, 93)')
      await expect(page.locator('[data-provider]')).toHaveText(['Sign in with Google'])
      await expect(page.getByRole('link', { name: 'Help' })).toBeVisible()
      await signIn(page)
      await page.getByRole('button', { name: 'Sign out' }).click()
      await expect(page.getByRole('button', { name: 'Continue' })).toBeVisible()
      expect(consoleLines).toEqual([])

      const socketIsOpen = page.waitForEvent('websocket').then(socket => socket.waitForEvent('framereceived'))
      await signIn(page)
      await socketIsOpen
      const readme = await readFile(join(root, 'packages/mock/README.md'), 'utf8')
      const commands = [...readme.matchAll(/^ {4}curl -H '(content-type): (\S+)' -d '(.+)' http:\/\/localhost:8081(\S+)$/gm)]
      expect(commands).toHaveLength(2)
      for (const [, name = '', value = '', body = '', path] of commands)
        expect((await fetch(mock.url + path, { method: 'POST', headers: { [name]: value }, body })).status).toBe(200)
      await expect(page.getByRole('button', { name: 'Continue' })).toBeVisible()
      expect(gatehouseLines(consoleLines)).toEqual([])
    } finally {
      await mock.close()
    }
  })

  test('says that the server does not respond, and continues when it responds', async ({ page, consoleLines }) => {
    await page.goto(`http://localhost:${port}/`)
    await expect(page.getByText('The sign-in server does not respond.')).toBeVisible()
    await expect
      .poll(() => gatehouseLines([...consoleLines]))
      .toEqual([expect.stringContaining(`cannot reach http://localhost:${mockPort}; `)])
    const mock = await startMock({ port: mockPort })
    try {
      await expect(page.getByRole('button', { name: 'Continue' })).toBeVisible({ timeout: 20_000 })
      expect(gatehouseLines(consoleLines)).toHaveLength(1)
    } finally {
      await mock.close()
    }
  })

  test('explains why the page does not continue if the browser blocks the session cookie', async ({ page, consoleLines }) => {
    const mock = await startMock({ port: mockPort })
    try {
      // A different site from the mock's.
      await page.goto(`http://127.0.0.1:${port}/`)
      await signIn(page)
      await expect(page.getByRole('button', { name: 'Signed in, please wait' })).toBeVisible()
      const says = `the sign-in succeeded, but the server at http://localhost:${mockPort} sees no session; `
      await expect.poll(() => gatehouseLines([...consoleLines])).toEqual([expect.stringContaining(says)])
      consoleLines.length = 0
    } finally {
      await mock.close()
    }
  })

  test('for a string as logo or accent, the compiler error names the expected type', async () => {
    const { stdout } = await node('typescript/bin/tsc', ['-p', '.', '--pretty', 'false'], folder).catch(error => error)
    const lines: string[] = stdout.split('\n').filter((line: string) => line.startsWith('mistakes.tsx'))
    const [logo, accent] = [/\{ src: string; alt: string; \}/, /'ResultOfDeriveAccent'/]
    expect(lines).toEqual([logo, accent, logo, accent].map(says => expect.stringMatching(says)))
  })
})
