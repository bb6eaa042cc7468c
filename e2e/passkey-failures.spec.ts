import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import type { Page } from '@playwright/test'
import { readMails } from './dev-mailbox.ts'
import { admin, test as base, expect, signInPage } from './gatehouse.ts'
import { addAuthenticator, addPasskey, signedIn, signOut, startWithPasskey, withoutAutofill, withPasskey } from './passkey-authenticator.ts'

// Passkeys that cannot be used, in Chromium with a virtual authenticator.

const built = join(import.meta.dirname, '../packages/sign-in/dist/page')
const widget = `<div id="root"></div><link rel="stylesheet" href="/gatehouse-sign-in.css"><script src="/gatehouse-sign-in.js"></script>
  <script>Gatehouse.mountSignIn('#root', { server: { scheme: 'http', host: 'localhost', port: location.search.slice(1) }, passkeys: true })</script>`

/** Serves one page, and the files of the widget. */
const serve = async (body: string) => {
  const server = createServer(async ({ url = '/' }, response) => {
    const type = { '.css': 'text/css; charset=utf-8', '.js': 'text/javascript; charset=utf-8' }[extname(url)]
    const page = `<!doctype html><html lang="en"><title>Host</title><link rel="icon" href="data:,">${body}`
    response.writeHead(200, { 'content-type': type ?? 'text/html; charset=utf-8' }).end(type ? await readFile(join(built, url)) : page)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://localhost:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}

/** `embedder`: the address of a page with the widget. To set the Gatehouse server that the widget uses, append `?` and its port. */
const test = base.extend<{ embedder: string }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what a fixture needs from its pattern
  embedder: async ({}, use) => {
    const server = await serve(widget)
    await use(server.url)
    server.close()
  },
  settings: async ({ embedder }, use) => use({ GATEHOUSE_ORIGINS: embedder }),
})

const useIt = (page: Page) => page.getByRole('button', { name: 'Use your passkey' })
const heading = (page: Page, name: string) => page.getByRole('heading', { name })

test('refuses a device-bound passkey whose counter goes back, and notifies the user', { tag: '@long' }, async ({ page, gatehouse }) => {
  await withoutAutofill(page)
  const authenticator = await startWithPasskey(page, { answers: false })
  const byButton = async () => {
    await authenticator.answers(true)
    await withPasskey(page).click()
  }
  await byButton()
  await signedIn(page)
  await authenticator.answers(false)
  await signOut(page)
  // A cloned device has its own counter, which is behind.
  await authenticator.setCounter(0)
  await byButton()
  await expect(signInPage(page).error).toHaveText('Your passkey couldn’t be used. Try again, or sign in with your password.')
  await expect
    .poll(async () => (await readMails(gatehouse)).map(({ subject }) => subject))
    .toContainEqual(expect.stringMatching(/^Passkey refused/))
  await authenticator.answers(false)
  await signOut(page)
  await authenticator.setCounter(100)
  await byButton()
  await signedIn(page)
})

test('accepts a synced passkey with any counter', { tag: '@long' }, async ({ page }) => {
  await withoutAutofill(page)
  const authenticator = await addAuthenticator(page, 'internal', { synced: true })
  await page.goto('/')
  await signInPage(page).signIn()
  await signedIn(page)
  await addPasskey(page)
  for (const counter of [50, 0, 7]) {
    await authenticator.answers(false)
    await signOut(page)
    await authenticator.setCounter(counter)
    await authenticator.answers(true)
    await withPasskey(page).click()
    await signedIn(page)
  }
})

test('after a passkey request times out, the user can try again', { tag: '@long' }, async ({ page }) => {
  await withoutAutofill(page)
  const authenticator = await startWithPasskey(page, { answers: false })
  // Shorten the time in the server's response: the server allows minutes, which Chromium cannot shorten for a virtual authenticator.
  const inVain = async () => {
    await page.route('**/passkey/options', async route => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), timeout: 300 } })
    })
    await withPasskey(page).click()
    await expect(signInPage(page).error).toHaveText('No passkey was used. Try again, or sign in with your password.')
    await page.unroute('**/passkey/options')
  }
  await inVain()
  await expect(withPasskey(page)).toBeEnabled()
  await authenticator.answers(true)
  await withPasskey(page).click()
  await signedIn(page)
})

test('leaving the passkey page ends the passkey request, and the user can return to the page', { tag: '@long' }, async ({ page }) => {
  const authenticator = await startWithPasskey(page, { answers: false })
  await signInPage(page).signIn()
  await expect(heading(page, 'Use your passkey')).toBeVisible()
  await useIt(page).click()
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  await expect(page.getByLabel('Recovery code')).toBeVisible()
  await page.getByRole('button', { name: 'Use your passkey' }).click()
  await authenticator.answers(true)
  // Chromium refuses a second request while another one waits.
  await useIt(page).click()
  await signedIn(page)
})

test('without WebAuthn, the page offers no passkey, and tells users who need one what to do', { tag: '@long' }, async ({
  page,
  browser,
  gatehouse,
}) => {
  await startWithPasskey(page, { answers: false })
  const context = await browser.newContext({ baseURL: gatehouse.url })
  const old = await context.newPage()
  await old.addInitScript(() => {
    for (const name of ['PublicKeyCredential', 'AuthenticatorAssertionResponse']) Reflect.deleteProperty(window, name)
  })
  await old.goto('/')
  await expect(signInPage(old).button).toBeEnabled()
  await expect(withPasskey(old)).toHaveCount(0)
  await signInPage(old).signIn()
  await expect(old.getByText('This browser can’t use passkeys here. Use another browser or another way to sign in.')).toBeVisible()
  await expect(useIt(old)).toHaveCount(0)
  await expect(old.getByRole('button', { name: 'Use a recovery code' })).toBeVisible()
  await context.close()
})

test('in a frame of another origin, the widget offers no passkey, and tells users who need one what to do', { tag: '@long' }, async ({
  page,
  embedder,
  gatehouse,
}) => {
  await startWithPasskey(page, { answers: true })
  await signedIn(page)
  const framed = `${embedder}/?${new URL(gatehouse.url).port}`
  await page.goto(framed)
  await expect(withPasskey(page)).toBeVisible()
  const outer = await serve(`<iframe src="${framed}" width="900" height="900"></iframe>`)
  await page.goto(outer.url)
  const frame = page.frameLocator('iframe')
  await expect(frame.getByRole('button', { name: 'Sign in', exact: true })).toBeEnabled()
  await expect(frame.getByRole('button', { name: 'Sign in with a passkey' })).toHaveCount(0)
  await frame.getByLabel('Email').fill(admin.username)
  await frame.getByLabel('Password', { exact: true }).fill(admin.password)
  await frame.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(frame.getByText(/^Passkeys don’t work inside another site’s page\. Open this sign-in in its own tab/)).toBeVisible()
  await expect(frame.getByRole('button', { name: 'Use your passkey' })).toHaveCount(0)
  outer.close()
})
