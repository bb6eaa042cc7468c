import type { Page } from '@playwright/test'
import { area, reach, type Stage, sendCode, signIn, tokenPage } from './area.ts'
import { toastsLoaded } from './console.ts'
import { outcome } from './messages.ts'
import { ada, count, expect, held, test } from './wire.ts'
import type { CallName } from './wire-server.ts'

/** Calls that a user can start: the steps to the page, the trigger, and the label of the button. */
const starts: {
  name: string
  call: CallName
  to: (stage: Stage) => Promise<void>
  ready: string
  /** Focuses the element where Enter starts the call. */
  enter: (page: Page) => Promise<void>
}[] = [
  {
    name: 'sign-in',
    call: 'getAuthTokenWithError',
    to: async stage => {
      await reach.login(stage)
      await area(stage.page).email.fill(ada.username)
      await area(stage.page).password.fill(ada.password)
    },
    ready: 'Sign in',
    enter: page => area(page).password.focus(),
  },
  {
    name: 'code',
    call: 'verifyOTP',
    to: async stage => {
      await reach.verifyFactor(stage)
      await area(stage.page).code.fill('012345')
    },
    ready: 'Verify',
    enter: page => area(page).code.focus(),
  },
  {
    name: 'first code',
    call: 'setupOTP',
    to: async stage => {
      await reach.firstSetup(stage)
      await area(stage.page).code.fill('012345')
    },
    ready: 'Verify',
    enter: page => area(page).code.focus(),
  },
  {
    name: 'skip',
    call: 'setupOTP',
    to: reach.createFactor,
    ready: 'Skip factor authentication',
    enter: page => area(page).skip.focus(),
  },
  {
    name: 'factor reset',
    call: 'resetOTP',
    to: reach.resetFactor,
    ready: 'Send reset instruction',
    enter: page => area(page).sendReset.focus(),
  },
  ...(['Send Password Reset Email', 'Send One Time Link Email'] as const).map((ready, index) => ({
    name: index === 0 ? 'password reset' : 'one-time link',
    call: index === 0 ? ('sendPasswordResetEmail' as const) : ('magiclinkSend' as const),
    to: async (stage: Stage) => {
      await reach.forgotPassword(stage)
      await area(stage.page).email.fill(ada.username)
    },
    ready,
    enter: (page: Page) => button(page, ready).focus(),
  })),
]
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
/** Expects the page to be ready again after a reply. After an email request, it shows ‘Email sent’ instead, and the button waits 30 s. */
const isReadyAgain = async (page: Page, call: CallName, name: string) =>
  isMail(call) ? expect(page.getByText('Email sent')).toBeVisible() : expect(button(page, name)).toBeEnabled()
const isMail = (call: CallName) => call === 'sendPasswordResetEmail' || call === 'magiclinkSend'

/** All pages share the code under test, so `npm test` checks only the sign-in. */
const tagOf = (name: string) => ({ tag: name === 'sign-in' ? [] : '@long' })

for (const { name, call, to, ready, enter } of starts) {
  test(`${name}: repeated clicks send one request`, tagOf(name), async ({ page, wire }) => {
    const slow = held()
    await to({ page, wire })
    wire.answer(call, {
      json: call === 'resetOTP' ? outcome.needsReset : call === 'magiclinkSend' ? { tag: 'Ok' } : outcome.failedLogin,
      after: slow.after,
    })
    const element = await button(page, ready).elementHandle()
    // Both clicks in one task, before the browser can render.
    await element?.evaluate((button: HTMLButtonElement) => {
      button.click()
      button.click()
    })
    await expect.poll(() => element?.isDisabled()).toBe(true)
    await element?.click({ force: true })
    await element?.dblclick({ force: true })
    await page.waitForTimeout(300)
    expect(count(wire, call)).toBe(1)
    slow.release()
    if (call === 'resetOTP') await expect(area(page).code).toBeVisible()
    else await isReadyAgain(page, call, ready)
    expect(count(wire, call)).toBe(1)
  })

  if (!isMail(call)) {
    test(
      `${name}: the page retries while the server is busy, and its button stays disabled`,
      tagOf(name),
      async ({ page, wire, consoleLines }) => {
        const last = held()
        await to({ page, wire })
        const busy = { status: 503, retryAfter: 1, json: { error: 'Too many people are signing in right now. Try again in a moment.' } }
        wire.answer(call, busy, busy, { json: call === 'resetOTP' ? outcome.needsReset : outcome.failedLogin, after: last.after })
        const element = await button(page, ready).elementHandle()
        await element?.click()
        for (let tries = 1; tries <= 3; tries++) {
          await expect.poll(() => count(wire, call)).toBeGreaterThanOrEqual(tries)
          expect(await element?.isDisabled()).toBe(true)
          if (name === 'sign-in') await expect(button(page, 'Signing in')).toBeVisible()
        }
        last.release()
        if (call === 'resetOTP') await expect(area(page).code).toBeVisible()
        else await expect(button(page, ready)).toBeEnabled()
        expect(count(wire, call)).toBe(3)
        expect(consoleLines.splice(0).filter(line => !/Failed to load resource/.test(line))).toEqual([])
      },
    )
  }

  test(`${name}: the page recovers after the browser was offline`, tagOf(name), async ({ page, wire, consoleLines }) => {
    await to({ page, wire })
    await toastsLoaded(page)
    await page.context().setOffline(true)
    await button(page, ready).click()
    if (isMail(call)) {
      await expect.poll(() => consoleLines.some(line => line.includes('Error while trying to send'))).toBe(true)
    } else {
      await expect(area(page).toast('Something went wrong')).toBeVisible()
      await area(page).toasts.getByText('More Info').click()
      await expect(area(page).toasts).toContainText(/fetch/i)
    }
    await expect(button(page, ready)).toBeEnabled()
    await page.context().setOffline(false)
    expect(
      consoleLines.splice(0).filter(line => !line.includes('ERR_INTERNET_DISCONNECTED') && !line.includes('Error while trying to send')),
    ).toEqual([])
    await button(page, ready).click()
    await expect.poll(() => count(wire, call)).toBe(1)
    // Chromium may hang when a context that was offline is closed during a navigation.
    if (call === 'resetOTP') await expect(area(page).code).toBeVisible()
    else if (isMail(call)) await isReadyAgain(page, call, ready)
    else await page.waitForURL(tokenPage)
  })

  test(`${name}: the page recovers from a lost connection and an error status`, tagOf(name), async ({ page, wire, consoleLines }) => {
    await page.clock.install()
    await to({ page, wire })
    for (const answer of [
      { drop: 'at once' as const },
      { drop: 'midway' as const, body: '{"tag":' },
      { status: 500, json: { error: 'out of order' } },
      { status: 503, body: '<html>', type: 'text/html' },
      { status: 429, json: { error: 'too many requests' } },
    ]) {
      const before = count(wire, call)
      wire.answer(call, answer)
      await button(page, ready).click()
      await expect.poll(() => count(wire, call)).toBe(before + 1)
      // The widget ignores the reply to a password reset: after half a reply, it shows the email as sent, and the button waits 30 s.
      if (isMail(call) && 'drop' in answer && answer.drop === 'midway') await page.clock.runFor(31_000)
      await expect(button(page, ready)).toBeEnabled()
      if (!isMail(call)) {
        await expect(area(page).toast('Something went wrong')).toHaveCount(1)
      }
    }
    expect(consoleLines.splice(0).filter(line => !/Failed to load resource|ERR_|Error while trying to send/.test(line))).toEqual([])
  })

  test(`${name}: holding Enter sends one request, even after a refusal`, tagOf(name), async ({ page, wire }) => {
    await to({ page, wire })
    wire.answer(call, { json: call === 'magiclinkSend' ? { tag: 'Ok' } : outcome.failedLogin })
    await enter(page)
    // Without a keyup in between, the browser reports repeats of the key.
    for (let i = 0; i < 10; i++) {
      await page.keyboard.down('Enter')
      await page.waitForTimeout(40)
    }
    await page.keyboard.up('Enter')
    await isReadyAgain(page, call, ready)
    expect(count(wire, call)).toBe(1)
  })
}

test('the error panel replaces toasts that cannot be loaded', async ({ page, wire, consoleLines }) => {
  await page.route(/toaster[^/]*\.js(\?|$)/, route => route.abort())
  await reach.login({ page, wire })
  wire.answer('getAuthTokenWithError', { status: 503, json: { error: 'out of order' } })
  await area(page).email.fill(ada.username)
  await area(page).password.fill(ada.password)
  await area(page).password.press('Enter')
  await expect(area(page).banner).toHaveText(/^Something went wrong\s*Try again in a moment\.\s*POST \S+ answered 503: out of order$/)
  await area(page).forgot.click()
  await expect(area(page).sendMagicLink).toBeVisible()
  await expect(area(page).banner).toHaveCount(0)
  expect(consoleLines.splice(0).filter(line => !/Failed to load resource|ERR_FAILED/.test(line))).toEqual([])
})

for (const [what, comes] of [
  ['whose toast loads late', true],
  ['whose toast never loads', false],
] as const) {
  test(`a failure ${what} does not appear on the next page`, async ({ page, wire, consoleLines }) => {
    const [slow, asked] = [held(), held()]
    await page.route(/toaster[^/]*\.js(\?|$)/, async route => {
      asked.release()
      await slow.after
      await (comes ? route.continue() : route.abort())
    })
    await reach.login({ page, wire })
    wire.answer('getAuthTokenWithError', { status: 503, json: { error: 'out of order' } })
    await area(page).email.fill(ada.username)
    await area(page).password.fill(ada.password)
    await area(page).password.press('Enter')
    await expect.poll(() => count(wire, 'getAuthTokenWithError')).toBe(1)
    await expect(area(page).signIn).toBeEnabled()
    await asked.after
    await area(page).forgot.click()
    await expect(area(page).sendMagicLink).toBeVisible()
    slow.release()
    await page.waitForTimeout(500)
    await expect(area(page).banner).toHaveCount(0)
    await expect(area(page).toasts).toHaveCount(0)
    expect(consoleLines.splice(0).filter(line => !/Failed to load resource|ERR_FAILED/.test(line))).toEqual([])
  })
}

for (const [browser, times] of [
  ['', { times: 1 }],
  // The test blocks the first address every time. A retry uses another address, so it works in browsers that remember failed modules.
  [' by a browser that remembers what failed to load', {}],
] as const)
  test(`a QR code that did not load can be loaded again${browser}, and the focus stays near it`, async ({ page, wire, consoleLines }) => {
    await page.route(/qr-code[^/]*\.js$/, route => route.abort(), times)
    wire.answer('getAuthTokenWithError', { json: outcome.needsFactor })
    await signIn({ page })
    await page.getByRole('button', { name: 'Try again' }).press('Enter')
    await expect(page.getByRole('figure')).toBeFocused()
    await expect(page.getByRole('img', { name: /QR code/ })).toBeVisible()
    await page.keyboard.press('Tab')
    await expect(page.getByRole('button', { name: 'Copy key' })).toBeFocused()
    expect(consoleLines.splice(0).filter(line => !/Failed to load resource|ERR_FAILED/.test(line))).toEqual([])
  })

test.describe('on a host page that removes the widget', () => {
  const open = ({ wire }: Pick<Stage, 'wire'>) => {
    wire.serve('/host/start.js', "window.unmount = Gatehouse.mountSignIn('#root')")
    wire.serve(
      '/host/index.html',
      `<!doctype html><html lang="en"><title>Host</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/page/gatehouse-sign-in.css">
       <div id="root"></div><script src="/page/gatehouse-sign-in.js"></script><script src="start.js"></script></html>`,
    )
  }

  for (const { name, call, to, ready } of starts) {
    test(
      `${name}: aborts its call when the host page removes the widget, and the late answer changes nothing`,
      tagOf(name),
      async ({ page, wire, consoleLines }) => {
        open({ wire })
        await to({ page, wire, at: '/host/index.html' })
        const slow = held()
        const calledOff = page.waitForEvent('requestfailed', request => request.failure()?.errorText === 'net::ERR_ABORTED')
        wire.answer(call, { json: outcome.success, after: slow.after })
        await button(page, ready).click()
        await expect.poll(() => count(wire, call)).toBe(1)
        await page.evaluate('unmount()')
        await calledOff
        slow.release()
        await page.waitForTimeout(200)
        expect(await page.locator('#root').innerHTML()).toBe('')
        await expect(page).toHaveURL(/\/host\/index\.html$/)
        expect([count(wire, 'plowlogin'), count(wire, 'loginWithToken')]).toEqual([0, 0])
        expect(consoleLines).toEqual([])
      },
    )
  }
})

test('after Back from the token page, the form is ready again on the login, code and set-up pages', async ({ page, wire }) => {
  for (const to of [reach.login, reach.verifyFactor, reach.firstSetup]) {
    await to({ page, wire })
    wire.answer('getAuthTokenWithError', { json: outcome.success })
    if (to === reach.login) {
      await area(page).email.fill(ada.username)
      await area(page).password.fill(ada.password)
      await area(page).password.press('Enter')
    } else {
      await sendCode(page)
    }
    await expect(page).toHaveURL(tokenPage)
    await page.goBack()
    await expect(page.locator('[data-gatehouse] button[type=submit]:not([form])').first()).toBeEnabled()
    await expect(page.locator('[data-gatehouse] button[type=submit]:not([form])').first()).not.toHaveText(/wait/)
  }
})

test('after Back during a call, the page ignores the reply', async ({ page, wire }) => {
  const slow = held()
  await page.goto('/auth/page/plow/ssoLogin?provider=google')
  wire.answer('getAuthTokenWithError', { json: outcome.success, after: slow.after })
  await reach.login({ page, wire })
  await area(page).email.fill(ada.username)
  await area(page).password.fill(ada.password)
  await area(page).password.press('Enter')
  await expect.poll(() => count(wire, 'getAuthTokenWithError')).toBe(1)
  await page.goBack()
  slow.release()
  await page.waitForTimeout(300)
  await expect(page).toHaveURL(/ssoLogin/)
  expect(count(wire, 'plowlogin')).toBe(0)
  await page.goForward()
  await expect(area(page).signIn).toBeEnabled()
})
