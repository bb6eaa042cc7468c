import type { Page } from '@playwright/test'
import { area, reach, signIn, tokenPage } from './area.ts'
import { outcome, sentence } from './messages.ts'
import { tabTo } from './tab-to.ts'
import { ada, count, expect, held, test } from './wire.ts'

/** Records the texts of live regions in order, as a screen reader announces them. */
const listen = (page: Page) =>
  page.addInitScript(() => {
    const heard: string[] = []
    Object.assign(window, { heard })
    const live = '[role=alert], [role=status], [aria-live]'
    new MutationObserver(records => {
      for (const { target, addedNodes } of records) {
        const changed = target instanceof Element ? target : target.parentElement
        const region = changed?.closest(live)
        const added = [...addedNodes].flatMap(node =>
          node instanceof Element ? [...(node.matches(live) ? [node] : []), ...node.querySelectorAll(live)] : [],
        )
        for (const element of region ? [region] : added) {
          const text = element.textContent?.trim()
          if (text && heard.at(-1) !== text) heard.push(text)
        }
      }
    }).observe(document, { subtree: true, childList: true, characterData: true })
  })
const heard = (page: Page) => page.evaluate('heard.splice(0)') as Promise<string[]>

test('signs in with a second factor by keyboard alone, with each change announced', async ({ page, wire }) => {
  const { code, submit } = area(page)
  wire.answer('getAuthTokenWithError', { json: outcome.failedLogin }, { json: outcome.needsCode })
  wire.answer('verifyOTP', { json: outcome.failedLogin }, { json: outcome.invalidCode }, { json: outcome.success })
  await listen(page)
  await page.goto('/')
  await expect(area(page).email).toBeFocused()
  await page.keyboard.type(ada.username)
  await page.keyboard.press('Tab')
  await page.keyboard.type(ada.password)
  await page.keyboard.press('Enter')
  await expect(area(page).banner).toHaveText(sentence.failedLogin)
  expect(await heard(page)).toEqual(['Signing in', sentence.failedLogin])
  await page.keyboard.type(ada.password)
  await page.keyboard.press('Enter')
  await expect(code).toBeFocused()
  await heard(page)
  await page.keyboard.type('111111')
  await page.keyboard.press('Enter')
  await expect(area(page).banner).toHaveText(sentence.failedLogin)
  await expect(code).toBeFocused()
  expect(await heard(page)).toEqual(['Verifying', sentence.failedLogin])
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type('222222')
  await tabTo(page, submit)
  await page.keyboard.press('Enter')
  await expect(area(page).banner).toHaveText('Invalid code')
  expect((await heard(page)).join(' | ')).toMatch(/Verifying.*Invalid code/)
  await code.focus()
  await page.keyboard.press('ControlOrMeta+A')
  const leaving = held()
  wire.answer('loginWithToken', { json: {}, after: leaving.after })
  await page.keyboard.type('333333')
  await page.keyboard.press('Enter')
  await expect(submit).toHaveText('Verified, please wait')
  expect((await heard(page)).join(' | ')).toContain('Verified, please wait')
  leaving.release()
  await expect(page).toHaveURL(tokenPage)
  expect(count(wire, 'verifyOTP')).toBe(3)
})

test('sets up a second factor by keyboard alone: focuses the heading, Next, then the code', async ({ page, wire }) => {
  const { heading, next, code } = area(page)
  wire.answer('getAuthTokenWithError', { json: outcome.needsFactor })
  await signIn({ page })
  await expect(heading).toHaveText('Two Factor Authentication')
  await expect(heading).toBeFocused()
  await tabTo(page, next)
  await page.keyboard.press('Enter')
  await expect(code).toBeFocused()
  await page.keyboard.type('012345')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(tokenPage)
})

test('skips set-up by keyboard alone', async ({ page, wire }) => {
  const { skip, banner } = area(page)
  wire.answer('setupOTP', { json: outcome.failedLogin }, { json: outcome.success })
  await listen(page)
  await reach.createFactor({ page, wire })
  await heard(page)
  await tabTo(page, skip)
  await page.keyboard.press('Space')
  await expect(banner).toHaveText(sentence.failedLogin)
  expect(await heard(page)).toEqual(['Loading', sentence.failedLogin])
  // A disabled button loses the focus. The focus must return for the next attempt.
  await expect(skip).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(tokenPage)
})

test('resets a factor by keyboard alone', async ({ page, wire }) => {
  const { heading, resetFactor, sendReset, code } = area(page)
  const sending = held()
  wire.answer('resetOTP', { json: outcome.needsReset, after: sending.after })
  await listen(page)
  await reach.verifyFactor({ page, wire })
  await tabTo(page, resetFactor)
  await page.keyboard.press('Enter')
  await expect(heading).toHaveText('Reset Two Factor Authentication')
  await expect(heading).toBeFocused()
  await heard(page)
  await tabTo(page, sendReset)
  await page.keyboard.press('Enter')
  await expect(sendReset).toHaveText('Sending')
  expect(await heard(page)).toEqual(['Sending'])
  sending.release()
  await expect(code).toBeFocused()
})

test('announces why a factor reset is refused, and focuses the button for the next attempt', async ({ page, wire }) => {
  const { resetFactor, sendReset, banner } = area(page)
  wire.answer('resetOTP', { json: { ...outcome.needsReset, refused: 'PasswordByMail' } })
  await listen(page)
  await reach.verifyFactor({ page, wire })
  await tabTo(page, resetFactor)
  await page.keyboard.press('Enter')
  await tabTo(page, sendReset)
  await heard(page)
  await page.keyboard.press('Enter')
  await expect(banner).toContainText('recovery code')
  expect((await heard(page)).join(' | ')).toMatch(/Sending.*recovery code.*administrator/)
  await expect(sendReset).toBeFocused()
  await tabTo(page, page.getByRole('button', { name: 'Use a recovery code' }))
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Recovery code')).toBeFocused()
})

test('shows a required set-up without Skip and with the reason, by keyboard alone', async ({ page, wire }) => {
  const { next, skip, code } = area(page)
  wire.answer('getAuthTokenWithError', { json: { ...outcome.needsFactor, skipRefused: 'Administrator' } })
  await signIn({ page })
  await expect(page.getByText('You can’t skip this step.')).toBeVisible()
  await expect(skip).toHaveCount(0)
  await tabTo(page, next)
  await page.keyboard.press('Enter')
  await expect(code).toBeFocused()
})

test('sends both emails by keyboard alone, announces the results and returns to the login page', async ({ page }) => {
  await page.clock.install()
  const { forgot, email, sendResetEmail, sendMagicLink, back } = area(page)
  await listen(page)
  await page.goto('/')
  await tabTo(page, forgot)
  await page.keyboard.press('Enter')
  await expect(email).toBeFocused()
  await page.keyboard.type(ada.username)
  for (const [button, sent] of [
    [sendResetEmail, sentence.resetEmailSent],
    [sendMagicLink, sentence.magicLinkSent],
  ] as const) {
    await heard(page)
    await tabTo(page, button)
    await page.keyboard.press('Enter')
    await expect(page.getByText(sent)).toBeVisible()
    await expect.poll(async () => (await page.evaluate('heard.join(" ")')) as string).toContain(sent)
    expect((await heard(page)).join(' | ')).toContain('Email sent')
    expect(await page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY')
    // For 30 s, the page sends no other email to the same address.
    await page.clock.runFor(30_000)
  }
  await tabTo(page, back)
  await page.keyboard.press('Enter')
  await expect(area(page).email).toBeFocused()
})

test('shows a focus ring of two pixels on every page', { tag: '@long' }, async ({ page, wire }) => {
  for (const to of [reach.verifyFactor, reach.createFactor, reach.firstSetup, reach.resetFactor, reach.forgotPassword]) {
    await to({ page, wire })
    const stops = new Set<string>()
    for (let i = 0; i < 10; i++) {
      await page.keyboard.press('Tab')
      const stop = await page.evaluate(() => {
        const element = document.activeElement
        if (!element || element === document.body) return undefined
        const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(element)
        const place = element.matches('input') ? 'field' : 'button'
        const name = element.textContent || element.getAttribute('name') || element.tagName
        return { name, place, ring: `${outlineStyle} ${outlineWidth} ${outlineOffset}` }
      })
      if (!stop?.name) break
      stops.add(stop.name)
      expect(stop).toEqual({ ...stop, ring: stop.place === 'field' ? 'solid 2px -1px' : 'solid 2px 2px' })
    }
    expect(stops.size).toBeGreaterThan(1)
  }
})
