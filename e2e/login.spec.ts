import { area, reach } from './area.ts'
import { expect, test } from './wire.ts'

test('the login page shows the logo as its heading', async ({ page, wire }) => {
  await reach.login({ page, wire })
  await expect(area(page).heading).toHaveText('Gatehouse')
  const mark = area(page).heading.locator('svg')
  await expect(mark).toBeVisible()
  expect(await mark.boundingBox()).toMatchObject({ width: 24, height: 24 })
})

for (const [width, height] of [
  [1100, 860],
  [1280, 900],
] as const) {
  test(`factor creation shows Next without scrolling at ${width} × ${height}`, async ({ page, wire }) => {
    await page.setViewportSize({ width, height })
    await reach.createFactor({ page, wire })
    await expect(area(page).next).toBeInViewport({ ratio: 1 })
    expect(await page.evaluate(() => window.scrollY)).toBe(0)
  })
}
