import { area, reach, tokenPage } from './area.ts'
import { expect, lastBody, test } from './wire.ts'

test('a password manager finds each field once, by its autocomplete purpose', async ({ page, wire }) => {
  const found = (purpose: string) => page.locator(`form input[autocomplete~="${purpose}"]`)
  await reach.login({ page, wire })
  await expect(found('username')).toHaveCount(1)
  await expect(found('current-password')).toHaveCount(1)
  for (const to of [reach.verifyFactor, reach.firstSetup, reach.afterReset]) {
    await to({ page, wire })
    await expect(found('one-time-code')).toHaveCount(1)
    await expect(page.locator('input:visible')).toHaveCount(1)
  }
  await reach.forgotPassword({ page, wire })
  await expect(found('username').or(found('email'))).toHaveCount(1)
})

test('accepts a pasted code with spaces and dashes', async ({ page, wire, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const { code } = area(page)
  for (const copied of [' 012 345 ', '012-345', '\t012345\n']) {
    await reach.verifyFactor({ page, wire })
    await page.evaluate(text => navigator.clipboard.writeText(text), copied)
    await code.focus()
    await page.keyboard.press('ControlOrMeta+V')
    await expect(code).toHaveValue('012345')
    await code.press('Enter')
    await expect(page).toHaveURL(tokenPage)
    expect(lastBody(wire, 'verifyOTP')).toHaveProperty('otpVerification', 12345)
  }
})

test('signs in when a password manager fills in and submits at once', async ({ page, wire }) => {
  const { code } = area(page)
  await reach.verifyFactor({ page, wire })
  await code.evaluate((field: HTMLInputElement) => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, '012345')
    field.dispatchEvent(new Event('input', { bubbles: true }))
    field.form?.requestSubmit()
  })
  await expect(page).toHaveURL(tokenPage)
})
