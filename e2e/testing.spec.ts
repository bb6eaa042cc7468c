import { type Gatehouse, startGatehouse } from '@gatehouse/testing'
import { test as base, expect } from './console.ts'
import { withoutAutofill, withPasskey } from './passkey-authenticator.ts'

// @gatehouse/testing as an embedder uses it. testing-packed.spec.ts runs the recipes of docs/testing-your-app.md.

const test = base.extend<object, { gatehouse: Gatehouse }>({
  gatehouse: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what a fixture needs from its pattern
    async ({}, use) => {
      await using gatehouse = await startGatehouse({
        users: [
          { email: 'ada@example.com', secondFactor: 'totp' },
          { email: 'grace@example.com', password: null, passkey: true },
        ],
      })
      await use(gatehouse)
    },
    { scope: 'worker' },
  ],
})

test('a browser with the cookies of a session sees the account page, and a passkey signs in on the real page', async ({
  page,
  context,
  gatehouse,
}) => {
  await withoutAutofill(page)
  const authenticator = await gatehouse.addPasskeyTo(page, 'grace@example.com')
  await authenticator.answers(false)
  const { cookies } = await gatehouse.signIn('ada@example.com')
  await context.addCookies(cookies)
  await page.goto(`${gatehouse.url}/account`)
  await expect(page.getByText('ada@example.com').first()).toBeVisible()
  await context.clearCookies()
  await page.goto(`${gatehouse.url}/account`)
  await expect(page.getByLabel('Email')).toBeVisible()

  await authenticator.answers(true)
  await withPasskey(page).click()
  await expect(page).toHaveURL(/\/(account|recovery-codes)$/)
  await page.goto(`${gatehouse.url}/account`)
  await expect(page.getByText('grace@example.com').first()).toBeVisible()
})
