import type { Page } from '@playwright/test'
import { area, reach, type Stage, sendCode, signIn, tokenPage } from './area.ts'
import { everyGolden, factorUUID, golden, malformedBodies, outcome, sentence } from './messages.ts'
import { ada, count, expect, lastBody, test } from './wire.ts'
import type { CallName } from './wire-server.ts'

const handOver = { authTokenSelector: 'wq3S0bX9r2m1Yd7K', authTokenToken: 'Jx8hT2vQm5nR0cUe1sLZ4g' }
const credentials = { otpUsername: ada.username, otpPassword: ada.password }
const nothingShown = async (page: Page) => {
  await expect(area(page).banner).toHaveCount(0)
  await expect(area(page).toasts).toHaveCount(0)
}

test.describe('the reply to a sign-in with password', () => {
  for (const answer of everyGolden('AuthOutcome')) {
    test(`handles ${answer.tag}`, async ({ page, wire, consoleLines }) => {
      wire.answer('getAuthTokenWithError', { json: answer })
      await signIn({ page })
      const { banner, signIn: button, code, heading, qr } = area(page)
      switch (answer.tag) {
        case 'AuthSuccessful':
          await expect(page).toHaveURL(tokenPage)
          expect(lastBody(wire, 'plowlogin')).toEqual(answer.contents)
          break
        case 'AuthRequires2FA':
          await expect(code).toBeFocused()
          await expect(heading).toHaveText('Two Factor Authentication')
          break
        case 'AuthRequiresFactorCreation':
          await expect(qr).toBeVisible()
          await expect(heading).toHaveText('Two Factor Authentication')
          break
        case 'AuthFailureFailedLogin':
          await expect(banner).toHaveText(sentence.failedLogin)
          await expect(button).toBeEnabled()
          break
        case 'AuthFailureForcedReset':
          await expect(banner).toHaveText(sentence.forcedReset)
          await expect(button).toBeEnabled()
          break
        case 'AuthRequiresFactorReset':
          await expect(button).toBeEnabled()
          await nothingShown(page)
          break
        case 'AuthFailureFactorError':
          await expect(button).toBeEnabled()
          await nothingShown(page)
          expect(consoleLines.splice(0)).toEqual([
            'error: Gatehouse: AuthFailureFactorError: Authentication failed with an status of Denied and a reason of wrong factor type',
          ])
          break
        default:
          throw new Error(`nobody says what ${answer.tag} does`)
      }
      expect(count(wire, 'getAuthTokenWithError')).toBe(1)
    })
  }
})

const codeCalls = [
  { name: 'a code', call: 'verifyOTP', to: reach.verifyFactor, body: { ...credentials, otpVerification: 12345 } },
  {
    name: 'a first code',
    call: 'setupOTP',
    to: reach.firstSetup,
    body: { ...credentials, otpVerification: 12345, otpFactorUUID: factorUUID },
  },
  {
    name: 'a code after a reset',
    call: 'setupOTP',
    to: reach.afterReset,
    body: { ...credentials, otpVerification: 12345, otpFactorUUID: factorUUID },
  },
] as const

for (const { name, call, to, body } of codeCalls) {
  test(`handles every reply to ${name}`, { tag: name === 'a code' ? [] : '@long' }, async ({ page, wire, consoleLines }) => {
    const { banner, submit, code, toast, toasts } = area(page)
    await to({ page, wire })
    for (const answer of everyGolden('AuthOutcome').filter(({ tag }) => tag !== 'AuthSuccessful')) {
      wire.answer(call, { json: answer })
      await sendCode(page)
      if (answer.tag === 'AuthFailureFactorError') {
        await expect(banner).toHaveText('wrong factor type')
        await expect(toast('Authentication Failed')).toContainText(
          'Authentication failed with an status of Denied and a reason of wrong factor type',
        )
      } else {
        await expect(banner).toHaveText(sentence.failedLogin)
      }
      await expect(submit).toHaveText('Verify')
      await expect(submit).toBeEnabled()
      await expect(code).toBeFocused()
      expect(lastBody(wire, call)).toEqual(body)
      if (answer.tag === 'AuthFailureFactorError') await toasts.getByRole('button', { name: 'Close' }).click()
    }
    wire.answer(call, { json: outcome.success })
    await sendCode(page)
    await expect(page).toHaveURL(tokenPage)
    expect(lastBody(wire, 'loginWithToken')).toEqual(handOver)
    expect([count(wire, call), count(wire, 'loginWithToken'), count(wire, 'plowlogin')]).toEqual([7, 1, 0])
    expect(consoleLines).toEqual([])
  })
}

test('handles every reply to a skip', async ({ page, wire }) => {
  const { banner, skip, toast, toasts } = area(page)
  await reach.createFactor({ page, wire })
  for (const answer of everyGolden('AuthOutcome').filter(({ tag }) => tag !== 'AuthSuccessful')) {
    wire.answer('setupOTP', { json: answer })
    await skip.click()
    if (answer.tag === 'AuthFailureFactorError') {
      await expect(banner).toHaveText('wrong factor type')
      await expect(toast('Authentication Failed')).toBeVisible()
      await toasts.getByRole('button', { name: 'Close' }).click()
    } else {
      await expect(banner).toHaveText(sentence.failedLogin)
    }
    await expect(skip).toHaveText('Skip factor authentication')
    await expect(skip).toBeEnabled()
    expect(lastBody(wire, 'setupOTP')).toEqual({ ...credentials, otpFactorUUID: factorUUID })
  }
  wire.answer('setupOTP', { json: outcome.success })
  await skip.click()
  await expect(page).toHaveURL(tokenPage)
  expect(lastBody(wire, 'loginWithToken')).toEqual(handOver)
})

test('handles every reply to a factor reset', async ({ page, wire }) => {
  const { sendReset, toasts, code, heading } = area(page)
  await reach.resetFactor({ page, wire })
  for (const answer of everyGolden('AuthOutcome').filter(({ tag }) => tag !== 'AuthRequiresFactorReset')) {
    wire.answer('resetOTP', { json: answer })
    await sendReset.click()
    // §4: the page has no error state, so the toast shows what went wrong.
    await expect(toasts).toHaveCount(1)
    await expect(sendReset).toHaveText('Send reset instruction')
    await expect(sendReset).toBeEnabled()
    expect(lastBody(wire, 'resetOTP')).toEqual(credentials)
    await toasts.getByRole('button', { name: 'Close' }).click()
    await expect(toasts).toHaveCount(0)
  }
  wire.answer('resetOTP', { json: golden('AuthOutcome.AuthRequiresFactorReset') })
  await sendReset.click()
  await expect(code).toBeFocused()
  await expect(heading).toHaveText('Two Factor Authentication')
})

test('shows a banner and a toast for every verification error', { tag: '@long' }, async ({ page, wire }) => {
  const { banner, toast, toasts } = area(page)
  await reach.verifyFactor({ page, wire })
  const errors = everyGolden('VerifyError')
  expect(errors).toHaveLength(17)
  for (const error of errors) {
    wire.answer('verifyOTP', { json: { tag: 'AuthFailureFactorError', contents: error } })
    await sendCode(page)
    await expect(toasts).toHaveCount(1)
    const [title, text, shown] = expected(error)
    await expect(toast(title)).toContainText(text)
    await expect(banner).toContainText(shown)
    await toasts.getByRole('button', { name: 'Close' }).click()
    await expect(toasts).toHaveCount(0)
  }
})

/** The title and text of the toast, and the banner (§8). */
const expected = ({ tag, contents }: { tag: string; contents?: unknown }): [string, string, string] => {
  switch (tag) {
    case 'VerifyTOTPFactorError':
      return ['Verification Failed', 'Verification failed with a status of', 'Invalid code']
    case 'TOTPError':
      return ['Authentication Failed', 'Authentication failed with an status of', 'wrong factor type']
    case 'ApiError':
      return ['Messaging Provider Integration Error', String(contents), `Unknown error: ${contents}`]
    default: {
      const plain = databaseAndStore[Object(contents).tag] ?? 'no such error'
      return [plain, '', plain]
    }
  }
}

const databaseAndStore: Record<string, string> = {
  StoreAlreadyOpen: 'Store already open',
  StoreClosed: 'Store closed',
  StoreLocked: 'Store locked',
  StoreFolderNotFound: 'Store folder not found',
  StoreFileNotFound: 'Store file not found',
  NoStoreFilesInPath: 'No store files in path',
  StoreCheckpointNotFound: 'Store checkpoint not found',
  StoreIOError: 'Store IO error: ',
  MissingFactorByFactorUUID: 'Missing factor by factor UUID',
  MissingFactorBindingByFactorUUID: 'Missing factor binding by factor UUID',
  MissingChallengeByChallengeUUID: 'Missing challenge by challenge UUID',
  FactorTypeMismatch: 'factor type mismatch',
  NoVerifiedFactors: 'No verified factors for the user',
  NoApprovedChallenges: 'No approved challenges for the user',
}

test.describe('a malformed reply', () => {
  const calls: {
    call: CallName
    to: (stage: Stage) => Promise<void>
    press: (page: Page) => Promise<void>
    ready: string
  }[] = [
    {
      call: 'getAuthTokenWithError',
      to: async ({ page }) => {
        await page.goto('/')
        await area(page).email.fill(ada.username)
        await area(page).password.fill(ada.password)
      },
      press: page => area(page).password.press('Enter'),
      ready: 'Sign in',
    },
    { call: 'verifyOTP', to: reach.verifyFactor, press: page => sendCode(page), ready: 'Verify' },
    { call: 'setupOTP', to: reach.firstSetup, press: page => sendCode(page), ready: 'Verify' },
    { call: 'setupOTP', to: reach.createFactor, press: page => area(page).skip.click(), ready: 'Skip factor authentication' },
    { call: 'resetOTP', to: reach.resetFactor, press: page => area(page).sendReset.click(), ready: 'Send reset instruction' },
  ]
  for (const { call, to, press, ready } of calls) {
    const tag = call === 'getAuthTokenWithError' ? [] : '@long'
    test(`to ${call} ('${ready}') appears on the console only, and the page is ready again`, { tag }, async ({
      page,
      wire,
      consoleLines,
    }) => {
      await to({ page, wire })
      let asked = 0
      for (const [name, body] of Object.entries(malformedBodies)) {
        wire.answer(call, { body })
        await press(page)
        asked++
        await expect.poll(() => consoleLines.length, name).toBe(1)
        expect(consoleLines.splice(0)).toEqual([
          expect.stringMatching(/^error: Gatehouse: (decodeAuthOutcome: |Unable to decode response body as JSON: )/),
        ])
        await expect(page.getByRole('button', { name: ready, exact: true })).toBeEnabled()
        await nothingShown(page)
        expect(count(wire, call)).toBe(asked)
      }
    })
  }
})
