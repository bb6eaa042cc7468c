import { expect, signInPage, test } from './gatehouse.ts'
import { addAuthenticator, addPasskey, signedIn, signOut, startWithPasskey, withoutAutofill, withPasskey } from './passkey-authenticator.ts'

// Passkeys in Chromium, with a virtual authenticator in place of a fingerprint reader or a security key.

test('signs in with a passkey alone, through the button', async ({ page }) => {
  await withoutAutofill(page)
  const authenticator = await startWithPasskey(page, { answers: false })
  await expect(withPasskey(page)).toBeVisible()
  await authenticator.answers(true)
  await withPasskey(page).click()
  await signedIn(page)
})

test('signs in with the passkey that the autofill of the email field offers', async ({ page }) => {
  const authenticator = await startWithPasskey(page, { answers: false })
  await expect(page.getByLabel('Email')).toHaveAttribute('autocomplete', 'username webauthn')
  await authenticator.answers(true)
  await page.reload()
  // A virtual authenticator answers as if the user had chosen it in the list.
  await signedIn(page)
})

test('says what to do if the device does not recognize the user', async ({ page }) => {
  await withoutAutofill(page)
  const authenticator = await startWithPasskey(page, { answers: false })
  await authenticator.verifiesUser(false)
  await authenticator.answers(true)
  await withPasskey(page).click()
  await expect(signInPage(page).error).toHaveText('No passkey was used. Try again, or sign in with your password.')
  await expect(withPasskey(page)).toBeEnabled()
})

test('asks for the passkey after the password', async ({ page }) => {
  const authenticator = await startWithPasskey(page, { answers: false })
  await signInPage(page).signIn()
  await expect(page.getByRole('heading', { name: 'Use your passkey' })).toBeFocused()
  await expect(page.getByRole('button', { name: 'Use a recovery code' })).toBeVisible()
  await authenticator.answers(true)
  await page.getByRole('button', { name: 'Use your passkey' }).click()
  await signedIn(page)
})

test.describe('where everyone needs a second factor', () => {
  test.use({ settings: { GATEHOUSE_SECOND_FACTOR: 'required' } })

  test('sets up a passkey in place of the authenticator app, and signs in with it', async ({ page }) => {
    const authenticator = await addAuthenticator(page)
    await page.goto('/')
    await signInPage(page).signIn()
    await expect(page.getByRole('img', { name: /^QR code/ })).toBeVisible()
    await page.getByRole('button', { name: 'Use a passkey instead' }).click()
    await signedIn(page)
    expect(await authenticator.credentials()).toHaveLength(1)
    await signOut(page)
    await signedIn(page)
  })
})

test('each of two passkeys signs in', { tag: '@long' }, async ({ page }) => {
  await withoutAutofill(page)
  const first = await startWithPasskey(page, { answers: true })
  await withPasskey(page).click()
  await signedIn(page)
  const second = await addAuthenticator(page, 'usb')
  await addPasskey(page)
  expect(await second.credentials()).toHaveLength(1)
  await first.answers(false)
  await second.answers(false)
  for (const [used, other] of [
    [first, second],
    [second, first],
  ] as const) {
    await signOut(page)
    await other.answers(false)
    await used.answers(true)
    await withPasskey(page).click()
    await signedIn(page)
  }
})

test('hides the passkey button without a script', async ({ browser, gatehouse }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: gatehouse.url })
  const page = await context.newPage()
  await page.goto('/')
  await expect(page.getByLabel('Email', { exact: true })).toBeVisible()
  await expect(withPasskey(page)).toBeHidden()
  await context.close()
})

test('shifts no layout when React hydrates the page', async ({ page }) => {
  await page.goto('/', { waitUntil: 'commit' })
  const top = () => page.getByText('Or Sign in with').boundingBox()
  const before = await top()
  await expect(withPasskey(page)).toBeVisible()
  expect(await top()).toEqual(before)
})

test.describe('where passkeys are off', () => {
  test.use({ settings: { GATEHOUSE_PUBLIC_URL: 'http://127.0.0.1' } })

  test('the sign-in page neither offers nor requests a passkey', async ({ page }) => {
    const calls: string[] = []
    page.on('request', request => calls.push(new URL(request.url()).pathname))
    await page.goto('/')
    await expect(page.getByLabel('Email')).toHaveAttribute('autocomplete', 'username')
    await page.waitForLoadState('networkidle')
    await expect(withPasskey(page)).toHaveCount(0)
    expect(calls.filter(path => path.startsWith('/passkey'))).toEqual([])
  })
})
