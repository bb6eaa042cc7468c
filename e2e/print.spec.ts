import { admin, expect, test } from './gatehouse.ts'

test('prints pages without navigation or footer', { tag: '@long' }, async ({ page, gatehouse }) => {
  await page.goto(gatehouse.url)
  const around = page.locator('nav, footer').filter({ visible: true })
  await expect(around).not.toHaveCount(0)
  await page.emulateMedia({ media: 'print' })
  await expect(around).toHaveCount(0)
  await page.locator('input[name=username]').fill(admin.username)
  await page.locator('input[name=password]').fill(admin.password)
  await page.locator('main form button[type=submit]:not([form])').click()
  for (const path of ['/account', '/administration']) {
    await page.goto(gatehouse.url + path)
    await expect(page.locator('main')).toBeVisible()
    await expect(page.locator('nav, footer')).not.toHaveCount(0)
    await expect(around).toHaveCount(0)
  }
})
