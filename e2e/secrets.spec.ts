import type { Page, Request } from '@playwright/test'
import { mailedLink } from './dev-mailbox.ts'
import { expect, signInPage, test } from './gatehouse.ts'

test.use({ settings: { GATEHOUSE_SECOND_FACTOR: 'skippable' } })

/** Records the browser's requests. @returns a function that ends the recording, and returns each request with its Referer */
const listen = (page: Page) => {
  const asked: Promise<{ url: string; referer: string }>[] = []
  const note = (request: Request) =>
    void asked.push(request.allHeaders().then(headers => ({ url: request.url(), referer: headers.referer ?? '' })))
  page.on('request', note)
  return () => {
    // The headers of a request that begins later may not arrive before the test ends.
    page.off('request', note)
    return Promise.all(asked)
  }
}

test('TP-08: the page with the QR code sends requests to its server only, and replies with the secret are not stored', async ({
  page,
  gatehouse,
}) => {
  const requests = listen(page)
  await page.goto('/')
  const answer = page.waitForResponse(/getAuthTokenWithError/)
  await signInPage(page).signIn()
  expect((await answer).headers()['cache-control']).toBe('no-store')
  await expect(page.getByRole('img', { name: /QR code to scan/ })).toBeVisible()
  const secret = new URL(
    (await page.getByRole('link', { name: 'Open in an app on this device' }).getAttribute('href')) ?? '',
  ).searchParams.get('secret')
  expect(secret).toMatch(/^[A-Z2-7]{32}$/)
  const asked = await requests()
  expect(asked.length).toBeGreaterThan(3)
  for (const { url } of asked) {
    expect(url.startsWith(gatehouse.url) || url.startsWith('data:') || url.startsWith('blob:'), url).toBe(true)
    expect(url).not.toContain(secret)
  }
})

test('EM-06, A16: an emailed token appears in no request URL, Referer or log, and leaves the address bar at once', async ({
  page,
  gatehouse,
}) => {
  await page.goto('/')
  await page.getByRole('button', { name: 'Forgot your password?' }).click()
  await page.getByLabel('Email').fill('admin@example.com')
  await page.getByRole('button', { name: 'Send Password Reset Email' }).click()
  const link = await mailedLink(gatehouse, 'admin@example.com', 'new-password')
  const token = link.slice(link.indexOf('#') + 1).split('.')[1] ?? ''
  expect(token).toMatch(/^[\w-]{43}$/)

  const requests = listen(page)
  await page.goto('about:blank')
  await page.goto(link)
  await expect(page.getByLabel(/^New password(?!,)/)).toBeVisible()
  expect(page.url()).toBe(`${gatehouse.url}/new-password`)
  await page.getByLabel(/^New password(?!,)/).fill('a wholly new password')
  await page.getByLabel('Confirm new password').fill('a wholly new password')
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByRole('link', { name: 'Sign in' }).click()
  await expect(page.getByLabel('Email', { exact: true })).toBeVisible()
  const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, history.state]))
  expect(stored).not.toContain(token)
  const asked = await requests()
  expect(asked.length).toBeGreaterThan(5)
  for (const { url, referer } of asked) {
    expect(url).not.toContain(token)
    // The page with the form sends its address to our own server only, and a Referer never contains a fragment.
    expect(
      referer === '' || (referer.startsWith(`${gatehouse.url}/`) && url.startsWith(`${gatehouse.url}/`) && !referer.includes('#')),
    ).toBe(true)
    expect(referer).not.toContain(token)
  }
  expect(gatehouse.log()).not.toContain(token)
})
