import { admin, expect, test } from './gatehouse.ts'

test.use({ locale: 'de' })

test('the next page offers to try again if its texts do not load, and opens when they do', async ({ page, gatehouse, consoleLines }) => {
  let lost = 0
  await page.route(/texts-signIn-de-/, async route => {
    lost++
    await route.abort()
  })
  await page.goto(gatehouse.url)
  await page.getByText('Passwort vergessen?').click()
  const again = page.getByRole('button', { name: 'Erneut versuchen' })
  await expect(again).toBeFocused()
  await again.click()
  await expect(again).toBeFocused()
  const before = lost
  await page.unroute(/texts-signIn-de-/)
  await again.click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Passwort')
  await expect(again).toHaveCount(0)
  expect(before).toBeGreaterThan(0)
  // The browser reports each lost file.
  for (const line of consoleLines.splice(0)) expect(line).toContain('net::ERR_FAILED')
})

test('the account page works as soon as its texts have loaded', { tag: '@long' }, async ({ page, gatehouse, consoleLines }) => {
  await page.goto(gatehouse.url)
  await page.locator('input[name=username]').fill(admin.username)
  await page.locator('input[name=password]').fill(admin.password)
  await page.locator('main form button[type=submit]:not([form])').click()
  await expect(page).toHaveURL(/\/account$/)
  await page.route(/texts-account-de-/, route => route.abort())
  await page.reload()
  const asleep = page.locator('section button[aria-disabled]')
  await expect(asleep.first()).toBeVisible()
  await page.waitForTimeout(1500)
  await expect(asleep.first()).toBeVisible()
  await page.unroute(/texts-account-de-/)
  await expect(asleep).toHaveCount(0)
  for (const line of consoleLines.splice(0)) expect(line).toContain('net::ERR_FAILED')
})
