import { type Gatehouse, startGatehouse } from '@gatehouse/testing'
import { test as base, expect } from '@playwright/test'

const test = base.extend<object, { gatehouse: Gatehouse }>({
  gatehouse: [
    async ({}, use) => {
      await using gatehouse = await startGatehouse({
        users: [
          { email: 'ada@example.com', secondFactor: 'totp' },
          { email: 'grace@example.com', passkey: true },
        ],
      })
      await use(gatehouse)
    },
    { scope: 'worker' },
  ],
})

test('shows a user their page', async ({ page, context, gatehouse }) => {
  const { cookies } = await gatehouse.signIn('ada@example.com')
  await context.addCookies(cookies)
  await page.goto(`${gatehouse.url}/account`)
  await expect(page.getByText('ada@example.com').first()).toBeVisible()
})

test('signs in with a password and a code', async ({ page, gatehouse }) => {
  const ada = gatehouse.user('ada@example.com')
  await page.goto(gatehouse.url)
  await page.getByLabel('Email').fill(ada.email)
  await page.getByLabel('Password', { exact: true }).fill(ada.password ?? '')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByLabel('Verification Code').fill(await gatehouse.totpCode(ada.email))
  await page.getByRole('button', { name: 'Verify' }).click()
  await expect(page).toHaveURL(/\/(account|recovery-codes)$/)
})

test('signs in with a passkey', async ({ page, gatehouse }) => {
  await gatehouse.addPasskeyTo(page, 'grace@example.com')
  // The page offers passkeys in its email field, and the virtual authenticator accepts the offer immediately.
  await page.goto(gatehouse.url)
  await expect(page).toHaveURL(/\/(account|recovery-codes)$/)
})

test('resets a password by email', async ({ page, gatehouse }) => {
  const { email } = await gatehouse.addUser({ email: 'forgetful@example.com' })
  await page.goto(gatehouse.url)
  await page.getByText('Forgot your password?').click()
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Send Password Reset Email' }).click()
  const mail = await gatehouse.nextMail({ to: email, subject: 'Reset your password' })
  await page.goto(mail.links[0] ?? '')
  const password = 'a new and long password'
  await page.getByLabel(/^New password/).fill(password)
  await page.getByLabel('Confirm new password').fill(password)
  await page.getByRole('button', { name: 'Change password' }).click()
  await gatehouse.nextMail({ to: email, subject: /changed/ })
  await gatehouse.signIn(email, { password })
})
