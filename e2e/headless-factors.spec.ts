import type { Page } from '@playwright/test'
import { admin, test as base, expect, type Gatehouse } from './gatehouse.ts'
import { buildHeadless } from './headless-example.ts'
import { addAuthenticator, addPasskey, signedIn } from './passkey-authenticator.ts'
import { button, enrol, forgetCounts, heading, letTimeRunOut, openBrowser, openPhone, otherThan, startSignedIn, type } from './phone.ts'

// The page of examples/headless with a real server: passkeys from a virtual authenticator, and approval on a phone.

const test = base.extend<object, { folder: string }>({
  folder: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what a fixture needs from its pattern
    async ({}, use) => {
      const { folder, remove } = await buildHeadless()
      await use(folder)
      await remove()
    },
    { scope: 'worker' },
  ],
})

/** Serves the example at an address of the server, with a Content-Security-Policy that allows no inline scripts. */
const serveExample = async (page: Page, { url }: Gatehouse, folder: string) => {
  // For Chromium, a page from page.route() is not local. Without this permission, Chromium asks before it lets the page open a WebSocket.
  await page.context().grantPermissions(['local-network-access'], { origin: url })
  await page.route(`${url}/headless/**`, route => {
    const { pathname } = new URL(route.request().url())
    const headers = { 'content-security-policy': "default-src 'self'; img-src data:" }
    return route.fulfill({ path: `${folder}/${pathname.slice('/headless/'.length) || 'index.html'}`, headers })
  })
}

const email = (page: Page) => page.getByLabel('Email')
const alert = (page: Page) => page.getByRole('alert')
const enterPassword = async (page: Page) => {
  await page.goto('/headless/')
  await email(page).fill(admin.username)
  await page.getByLabel('Password').fill(admin.password)
  await page.getByLabel('Password').press('Enter')
}

test.describe('passkeys', () => {
  /** The administrator has a passkey and is signed out. The authenticator does not answer yet. */
  const start = async (page: Page) => {
    const authenticator = await addAuthenticator(page)
    await startSignedIn(page)
    await addPasskey(page)
    await authenticator.answers(false)
    await page.context().clearCookies()
    return authenticator
  }

  test('signs in with a passkey from the autofill of the page’s own email field', async ({ page, gatehouse, folder }) => {
    await serveExample(page, gatehouse, folder)
    const authenticator = await start(page)
    const options = page.waitForResponse('**/passkey/options')
    await page.goto('/headless/')
    await expect(email(page)).toHaveAttribute('autocomplete', 'username webauthn')
    expect((await options).status()).toBe(200)
    // A virtual authenticator answers as if the user had chosen the passkey in the list.
    await authenticator.answers(true)
    await page.reload()
    await signedIn(page)
  })

  test('signs in with the button, which ends the offer in the autofill, and offers passkeys again after a refusal', async ({
    page,
    gatehouse,
    folder,
  }) => {
    await serveExample(page, gatehouse, folder)
    const authenticator = await start(page)
    await authenticator.verifiesUser(false)
    const offered = () => page.waitForResponse('**/passkey/options')
    const first = offered()
    await page.goto('/headless/')
    await first
    await authenticator.answers(true)
    const [byButton] = await Promise.all([offered(), button(page, 'Sign in with a passkey').click()])
    expect(byButton.ok()).toBe(true)
    await expect(alert(page)).toHaveText('No passkey was used. Try again, or sign in with your password.')
    await offered()
    await authenticator.verifiesUser(true)
    await button(page, 'Sign in with a passkey').click()
    await signedIn(page)
  })

  test('asks for the passkey after the password', async ({ page, gatehouse, folder }) => {
    await serveExample(page, gatehouse, folder)
    const authenticator = await start(page)
    await enterPassword(page)
    await heading(page, 'Use your passkey')
    await expect(button(page, 'Use a recovery code')).toBeVisible()
    await authenticator.verifiesUser(false)
    await authenticator.answers(true)
    await button(page, 'Continue').click()
    await expect(alert(page)).toHaveText('No passkey was used. Try again, or use another way to sign in.')
    await authenticator.verifiesUser(true)
    await button(page, 'Continue').click()
    await signedIn(page)
  })
})

test.describe('approval on a phone', () => {
  test('shows the number, reports a wrong number and an expired request, and signs in after the approval', async ({
    page,
    browser,
    gatehouse,
    folder,
  }) => {
    test.setTimeout(90_000)
    await startSignedIn(page)
    const { context, phone } = await openPhone(browser, gatehouse)
    await enrol(page, phone, 'Pixel')
    const other = await openBrowser(browser, gatehouse)
    await serveExample(other, gatehouse, folder)
    const number = async () => {
      const text = other.getByText(/^Type this number on your phone: \d{6}$/)
      await expect(text).toBeVisible({ timeout: 15_000 })
      return (await text.innerText()).slice(-6)
    }
    await enterPassword(other)
    await heading(other, 'Approve on your phone')
    await button(other, 'Show the number').click()
    const wrong = await number()
    await heading(phone, 'Is this you?')
    await type(phone, otherThan(wrong))
    await heading(phone, 'Wrong number')
    await expect(other.getByText('The sign-in was not approved.')).toBeVisible({ timeout: 15_000 })
    await button(phone, 'Done').click()

    await button(other, 'Show the number').click()
    await number()
    await heading(phone, 'Is this you?')
    letTimeRunOut(gatehouse)
    await expect(other.getByText('The request has expired.')).toBeVisible({ timeout: 15_000 })

    forgetCounts(gatehouse)
    await phone.reload()
    await button(other, 'Show the number').click()
    const right = await number()
    await heading(phone, 'Is this you?')
    await type(phone, right)
    await heading(phone, 'Approved')
    await signedIn(other)
    await context.close()
    await other.context().close()
  })
})
