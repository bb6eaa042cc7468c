import { DatabaseSync } from 'node:sqlite'
import type { Page } from '@playwright/test'
import { callsLoaded, toastsLoaded } from './console.ts'
import { admin, expect, signInPage, test } from './gatehouse.ts'

const login = '**/auth/page/plow/getAuthTokenWithError'
const plowlogin = '**/auth/page/plow/plowlogin'
const tokenPage = /\/auth\/page\/plow\/[\w-]{22}\/[\w-]{43}$/
const failedLogin = 'You have failed to login. Make sure that your email and password are correct.'
const session = 'gatehouse-session'

/** Holds back requests to a pattern. Returns a function that releases them, and their URLs. */
const hold = async (page: Page, pattern: string | RegExp) => {
  let release = () => {}
  const released = new Promise<void>(resolve => (release = resolve))
  const urls: string[] = []
  await page.route(pattern, async route => {
    urls.push(route.request().url())
    await released
    await route.continue()
  })
  return { release, urls }
}

test.describe('with the password printed at the first start', () => {
  test.use({ settings: { GATEHOUSE_ADMIN_PASSWORD: '' } })

  test('signs in to the account page and out, and the old cookie is refused', async ({ page, gatehouse, context }) => {
    await page.goto('/')
    await expect(page).toHaveTitle('Sign in · Gatehouse')
    await signInPage(page).signIn({ ...admin, password: gatehouse.printedPassword() })
    await expect(page).toHaveURL(`${gatehouse.url}/account`)
    await expect(page.getByText('Signed in as')).toContainText(admin.username)

    const cookies = await context.cookies()
    const old = cookies.find(cookie => cookie.name === session)
    expect(old).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/', domain: 'localhost' })
    await page.getByRole('button', { name: 'Sign out' }).click()
    await expect(page).toHaveURL(`${gatehouse.url}/`)
    await expect(signInPage(page).button).toHaveText('Sign in')

    await context.addCookies(cookies)
    await page.goto('/account')
    await expect(page).toHaveURL(`${gatehouse.url}/`)
    const refused = await fetch(`${gatehouse.url}/account`, { headers: { cookie: `${session}=${old?.value}` }, redirect: 'manual' })
    expect([refused.status, refused.headers.get('location')]).toEqual([303, '/'])
  })
})

test("the primary button's label follows the state", async ({ page }) => {
  const { button } = signInPage(page)
  const call = await hold(page, login)
  const leaving = await hold(page, plowlogin)
  await page.goto('/')
  await expect(button).toHaveText('Sign in')
  await expect(button).toBeEnabled()
  const { width: idle } = (await button.boundingBox()) ?? {}
  await signInPage(page).signIn()
  await expect(button).toHaveText('Signing in')
  await expect(button).toBeDisabled()
  await expect(button.locator('svg')).toBeVisible()
  const { width: busy } = (await button.boundingBox()) ?? {}
  expect(busy).toBe(idle)
  call.release()
  await expect(button).toHaveText('Signed in, please wait')
  leaving.release()
  await expect(page).toHaveURL(/\/account$/)
})

test('Enter in the password field submits once, however often it is pressed', async ({ page }) => {
  const call = await hold(page, login)
  const { email, password, button } = signInPage(page)
  await page.goto('/')
  await email.fill(admin.username)
  await password.fill(admin.password)
  await password.press('Enter')
  for (let i = 0; i < 5; i++) await page.keyboard.press('Enter')
  await button.click({ force: true })
  await expect(button).toHaveText('Signing in')
  call.release()
  await expect(page).toHaveURL(/\/account$/)
  expect(call.urls).toHaveLength(1)
})

test('a wrong password shows and announces its message, and the button is ready again', async ({ page }) => {
  const { error, button, password, signIn } = signInPage(page)
  await page.goto('/')
  await signIn({ ...admin, password: 'wrong password wrong' })
  await expect(error).toHaveText(failedLogin)
  await expect(button).toHaveText('Sign in')
  await expect(button).toBeEnabled()
  await expect(password).toBeFocused()
  await password.fill(admin.password)
  await password.press('Enter')
  await expect(page).toHaveURL(/\/account$/)
})

test('a forced reset shows its message', { tag: '@long' }, async ({ page, gatehouse }) => {
  await gatehouse.cli('user', 'force-reset', admin.username)
  const { error, button, signIn } = signInPage(page)
  await page.goto('/')
  await signIn()
  await expect(error).toHaveText('Your password has been reset by an administrator. Please reset your password.')
  await expect(button).toHaveText('Sign in')
})

test('sends the calls of the specification, then opens the token page', async ({ page, gatehouse }) => {
  const requests: { method: string; path: string; body: unknown }[] = []
  page.on('request', request => {
    const path = new URL(request.url()).pathname
    if (path.startsWith('/auth/')) requests.push({ method: request.method(), path, body: request.postDataJSON() })
  })
  // Read the token from the reply before the browser gets it: after the navigation, the browser no longer has the reply.
  let token: Record<string, unknown> = {}
  await page.route(login, async route => {
    const response = await route.fetch()
    token = (await response.json()).contents
    await route.fulfill({ response })
  })
  const { email, password } = signInPage(page)
  await page.goto('/')
  await email.fill(' Admin@Example.COM ')
  await password.fill(admin.password)
  await password.press('Enter')
  await expect(page).toHaveURL(/\/account$/)
  expect(requests).toEqual([
    {
      method: 'POST',
      path: '/auth/page/plow/getAuthTokenWithError',
      body: { username: admin.username, password: admin.password, useragent: '', passkeys: true },
    },
    {
      method: 'POST',
      path: '/auth/page/plow/plowlogin',
      body: {
        authTokenSelector: token.authTokenSelector,
        authTokenToken: token.authTokenToken,
        authTokenUserAgent: token.authTokenUserAgent,
        authTokenExpires: token.authTokenExpires,
        authTokenUser: token.authTokenUser,
      },
    },
    { method: 'GET', path: `/auth/page/plow/${token.authTokenSelector}/${token.authTokenToken}`, body: null },
  ])
  expect(gatehouse.log()).not.toContain(token.authTokenToken)
})

test('the token page starts the session without plowlogin', async ({ page, consoleLines }) => {
  await page.route(plowlogin, route => route.abort())
  await page.goto('/')
  await signInPage(page).signIn()
  await expect(page).toHaveURL(/\/account$/)
  expect(consoleLines.splice(0)).toEqual([expect.stringContaining('ERR_FAILED')])
})

test('a second use of the token page does not sign in', { tag: '@long' }, async ({ page, context, gatehouse, consoleLines }) => {
  const leaving = await hold(page, tokenPage)
  await page.goto('/')
  await signInPage(page).signIn()
  leaving.release()
  await expect(page).toHaveURL(/\/account$/)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(`${gatehouse.url}/`)
  await page.goto(leaving.urls[0] ?? '')
  await expect(page.getByRole('heading')).toHaveText('This link no longer works')
  expect((await context.cookies()).map(cookie => cookie.name)).not.toContain(session)
  await page.getByRole('link', { name: 'Sign in' }).click()
  await expect(signInPage(page).button).toHaveText('Sign in')
  expect(consoleLines.splice(0)).toEqual([expect.stringContaining('410')])
})

/** Signs in up to the token page without opening it, so there is no session yet. */
const stopBeforeTokenPage = async (page: Page) => {
  await page.route(plowlogin, route => route.abort())
  // Reply with 204, so the browser stays on the page. After an error page, it would try again.
  await page.route(tokenPage, route => route.fulfill({ status: 204 }))
  const stopped = page.waitForResponse(tokenPage)
  await page.goto('/')
  await signInPage(page).signIn()
  const url = (await stopped).url()
  await page.unroute(tokenPage)
  return url
}

test('opening the token page in another browser starts no session', { tag: '@long' }, async ({ page, browser, consoleLines }) => {
  const url = await stopBeforeTokenPage(page)
  const other = await browser.newContext()
  const victim = await other.newPage()
  await victim.goto(url)
  await expect(victim.getByRole('heading')).toHaveText('This link no longer works')
  expect(await other.cookies()).toEqual([])
  await other.close()
  await page.goto(url)
  await expect(page).toHaveURL(/\/account$/)
  expect(consoleLines.splice(0).length).toBeGreaterThan(0)
})

test('opening the token page after 60 s starts no session', { tag: '@long' }, async ({ page, context, gatehouse, consoleLines }) => {
  const url = await stopBeforeTokenPage(page)
  const db = new DatabaseSync(`${gatehouse.dataDir}/gatehouse.sqlite`)
  db.exec('update hand_overs set "authTokenExpires" = "authTokenExpires" - 60000')
  db.close()
  await page.goto(url)
  await expect(page.getByRole('heading')).toHaveText('This link no longer works')
  expect((await context.cookies()).map(cookie => cookie.name)).not.toContain(session)
  expect(consoleLines.splice(0).length).toBeGreaterThan(0)
})

test('refuses the eleventh attempt like a wrong password, although the password is right', { tag: '@long' }, async ({ page }) => {
  const bodies: string[] = []
  const { error, button, signIn } = signInPage(page)
  await page.goto('/')
  for (let i = 0; i < 11; i++) {
    const answer = page.waitForResponse(login)
    await signIn(i < 10 ? { ...admin, password: `wrong password ${i}` } : admin)
    const response = await answer
    bodies.push(`${response.status()} ${(await response.body()).toString('hex')}`)
    await expect(button).toHaveText('Sign in')
    await expect(error).toHaveText(failedLogin)
  }
  expect(new Set(bodies).size).toBe(1)
})

test('a malformed reply and a factor error appear on the console only', { tag: '@long' }, async ({ page, consoleLines }) => {
  await page.goto('/')
  for (const [body, line] of [
    [{ tag: 'AuthUnheardOf' }, 'Unknow tag'],
    [{ tag: 'AuthSuccessful', contents: {} }, '/contents/authTokenSelector'],
    [{ tag: 'AuthFailureFactorError', contents: { tag: 'ApiError', contents: 'no phone' } }, 'no phone'],
  ] as const) {
    await page.unrouteAll()
    await page.route(login, route => route.fulfill({ json: body }))
    await signInPage(page).signIn()
    await expect.poll(() => consoleLines.length).toBe(1)
    expect(consoleLines.splice(0)).toEqual([expect.stringContaining(line)])
    await expect(signInPage(page).button).toHaveText('Sign in')
    await expect(signInPage(page).error).toHaveText('')
  }
})

test('shows a toast with the detail under More Info when the server is unreachable', async ({ page, gatehouse, consoleLines }) => {
  const failed: string[] = []
  page.on('requestfailed', request => failed.push(new URL(request.url()).pathname))
  await page.goto('/')
  await toastsLoaded(page)
  await callsLoaded(page)
  await gatehouse.stop('SIGTERM')
  const { button, signIn } = signInPage(page)
  await signIn()
  const toast = page.getByRole('alert').filter({ hasText: 'Something went wrong' })
  await expect(toast).toBeVisible()
  await expect(button).toHaveText('Sign in')
  await toast.getByText('More Info').click()
  await expect(toast).toContainText(/fetch/i)
  expect(failed.filter(path => path.startsWith('/auth/'))).toEqual(['/auth/page/plow/getAuthTokenWithError'])
  await gatehouse.start()
  await signIn()
  await expect(page).toHaveURL(/\/account$/)
  // The page also asks for a passkey's challenge, for the autofill.
  expect(consoleLines.splice(0).filter(line => !line.includes('ERR_CONNECTION_REFUSED'))).toEqual([])
})

test('sign-ins and sign-outs survive kill -9', { tag: '@long' }, async ({ page, browser, gatehouse, consoleLines }) => {
  await page.goto('/')
  await signInPage(page).signIn()
  await expect(page).toHaveURL(/\/account$/)
  const other = await browser.newContext()
  const second = await other.newPage()
  await second.goto(gatehouse.url)
  await signInPage(second).signIn()
  await expect(second).toHaveURL(/\/account$/)
  const old = (await other.cookies()).find(cookie => cookie.name === session)
  await second.getByRole('button', { name: 'Sign out' }).click()
  // The sign-out ends here, even if the click came before the page's script ran and the browser posted the form.
  await expect(second.getByLabel('Email', { exact: true })).toBeEditable()
  await gatehouse.stop('SIGKILL')
  await gatehouse.start()
  await page.reload()
  await expect(page.getByText('Signed in as')).toContainText(admin.username)
  await other.close()
  const refused = await fetch(`${gatehouse.url}/account`, { headers: { cookie: `${session}=${old?.value}` }, redirect: 'manual' })
  expect([refused.status, refused.headers.get('location')]).toEqual([303, '/'])
  // The kill ends the requests of open pages.
  expect(consoleLines.splice(0).filter(line => !/ERR_CONNECTION_(RESET|REFUSED)/.test(line))).toEqual([])
})

test('Back after sign-in returns to the account page, not to the submitted form', { tag: '@long' }, async ({ page }) => {
  await page.goto('/')
  await signInPage(page).signIn()
  await expect(page).toHaveURL(/\/account$/)
  await page.goBack()
  await expect(page).toHaveURL(/\/account$/)
})

test('each single sign-on button leads to a page that says it is not set up, with a link back', { tag: '@long' }, async ({
  page,
  gatehouse,
  consoleLines,
}) => {
  for (const [name, provider, title] of [
    ['Sign in with Google', 'google', 'Google is not set up here'],
    ['Sign in with Microsoft', 'azure', 'Microsoft is not set up here'],
    [/Sign in with Pak Platform/, 'pak', 'Pak Platform is not set up here'],
  ] as const) {
    await page.goto('/')
    await expect(page.getByText('Or Sign in with')).toBeVisible()
    await page.getByRole('link', { name }).click()
    await expect(page).toHaveURL(`${gatehouse.url}/auth/page/plow/ssoLogin?provider=${provider}`)
    await expect(page.getByRole('heading')).toHaveText(title)
    await page.getByRole('link', { name: 'Back to sign-in' }).click()
    await expect(signInPage(page).button).toHaveText('Sign in')
  }
  expect(consoleLines.splice(0).every(line => line.includes('404'))).toBe(true)
})

test('the password can be shown and hidden again', { tag: '@long' }, async ({ page }) => {
  const { password } = signInPage(page)
  await page.goto('/')
  await password.fill('correct horse')
  await expect(password).toHaveAttribute('type', 'password')
  await page.getByRole('button', { name: 'Show password' }).click()
  await expect(password).toHaveAttribute('type', 'text')
  await page.getByRole('button', { name: 'Hide password' }).click()
  await expect(password).toHaveAttribute('type', 'password')
  await expect(password).toHaveValue('correct horse')
})

test.describe('below a base path', () => {
  test.use({ settings: { GATEHOUSE_PUBLIC_URL: 'http://localhost/gate' } })

  test('signs in and out', async ({ page, gatehouse }) => {
    await page.goto('/gate/')
    await signInPage(page).signIn()
    await expect(page).toHaveURL(`${gatehouse.url}/gate/account`)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await expect(page).toHaveURL(`${gatehouse.url}/gate/`)
  })
})
