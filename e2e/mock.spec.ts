import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { startMock } from '@gatehouse/mock'
import { expect, test } from './console.ts'
import { sentence } from './messages.ts'

// A front end on its own development server calls the mock: another origin of the same site.
const built = join(import.meta.dirname, '../packages/sign-in/dist/page')
const pageFor = (port: string) => `<!doctype html><html lang="en"><title>Host</title><link rel="icon" href="data:,">
  <link rel="stylesheet" href="/gatehouse-sign-in.css"><div id="root"></div><script src="/gatehouse-sign-in.js"></script>
  <script>Gatehouse.mountSignIn('#root', { server: { scheme: 'http', host: 'localhost', port: '${port}' } })</script>`

const startHost = async (page: string) => {
  const server = createServer(async ({ url = '/' }, response) => {
    if (url === '/') return response.writeHead(200, { 'content-type': 'text/html' }).end(page)
    const type = url.endsWith('.css') ? 'text/css' : 'text/javascript'
    return response.writeHead(200, { 'content-type': type }).end(await readFile(join(built, url.slice(1))))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://localhost:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}

test('the widget signs in against the mock, with outcomes from its page, its scenario and its function `choose`', async ({ page }) => {
  const mock = await startMock({
    scenario: { delay: 0, calls: new Map([['verifyOTP', ['AuthFailureFactorError', 'AuthSuccessful']]]), sockets: [] },
  })
  const host = await startHost(pageFor(new URL(mock.url).port))
  try {
    await page.goto(mock.url)
    await page.getByLabel('Find a call').fill('getAuthToken')
    await page.getByLabel('Response to getAuthTokenWithError').selectOption('AuthFailureFailedLogin')
    await expect(page.getByRole('status')).toHaveText('getAuthTokenWithError: AuthFailureFailedLogin')
    await expect(page.getByRole('row')).toHaveCount(2)

    await page.goto(host.url)
    await page.getByLabel('Email').fill('ada@example.com')
    await page.getByLabel('Password', { exact: true }).fill('any password')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(page.getByText(sentence.failedLogin)).toBeVisible()

    mock.choose('getAuthTokenWithError', { outcome: 'AuthRequires2FA' })
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByLabel('Verification Code').fill('111111')
    await page.getByRole('button', { name: 'Verify' }).click()
    await expect(page.getByText('Invalid code', { exact: true })).toBeVisible()
    await page.getByLabel('Verification Code').fill('123456')
    await page.getByRole('button', { name: 'Verify' }).click()
    await expect(page.getByRole('heading', { name: 'Signed in' })).toBeVisible()
    await expect(page.getByText('This is a mock.')).toBeVisible()
    expect(mock.received.filter(({ call }) => call !== 'originCheck').map(({ call, outcome }) => `${call} ${outcome}`)).toEqual([
      'getAuthTokenWithError AuthFailureFailedLogin',
      'getAuthTokenWithError AuthRequires2FA',
      'verifyOTP AuthFailureFactorError',
      'verifyOTP AuthSuccessful',
      'loginWithToken Nothing',
    ])
  } finally {
    host.close()
    await mock.close()
  }
})
