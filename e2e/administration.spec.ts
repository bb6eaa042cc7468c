import { DatabaseSync } from 'node:sqlite'
import { type AuthOutcome, administrationRoutes, routes } from '@gatehouse/wire'
import { type APIRequestContext, type Page, request } from '@playwright/test'
import { TOTP } from 'totp-generator'
import { axeOn, wcag } from './axe.ts'
import { mailedLink } from './dev-mailbox.ts'
import { admin, expect, type Gatehouse, test } from './gatehouse.ts'

const ada = { username: 'ada@example.com', password: 'a wholly new password' }

test.use({ settings: { GATEHOUSE_SECOND_FACTOR: 'skippable' } })

/** Calls the server with the browser's cookies, without a page. */
const callsOf = (by: APIRequestContext, { url }: Gatehouse) => {
  const post = (path: string, data: unknown) => by.post(url + path, { data, headers: { origin: url }, maxRedirects: 0 })
  const signIn = async (who: typeof admin): Promise<AuthOutcome> =>
    (await post(routes.getAuthTokenWithError.path, { ...who, useragent: '' })).json()
  /** Sets up an authenticator and signs in with it. */
  const enrol = async (who: typeof admin) => {
    const offered = await signIn(who)
    if (offered.tag !== 'AuthRequiresFactorCreation' || offered.contents.factorBinding?.tag !== 'TOTPBinding')
      throw new Error(`expected a factor to set up, got ${offered.tag}`)
    const { factorUUID, factorBinding } = offered.contents
    const { otp } = await TOTP.generate(factorBinding.contents.factorTOTPBindingSecret)
    const body = { otpUsername: who.username, otpPassword: who.password, otpVerification: Number(otp), otpFactorUUID: factorUUID }
    const { tag, contents } = await (await post(routes.setupOTP.path, body)).json()
    expect(tag).toBe('AuthSuccessful')
    expect((await post(routes.plowlogin.path, contents)).status()).toBe(200)
  }
  return { post, signIn, enrol, get: (path: string) => by.get(url + path, { maxRedirects: 0, headers: { accept: 'text/html' } }) }
}

/** Makes every session old enough to require reauthentication. */
const signInLongAgo = ({ dataDir }: Gatehouse) => {
  const database = new DatabaseSync(`${dataDir}/gatehouse.sqlite`, { timeout: 5000 })
  database.exec(`update sessions set "sessionCreated" = "sessionCreated" - 3600000, "sessionConfirmed" = "sessionConfirmed" - 3600000`)
  database.close()
}

/** Gives each user a second session, in another browser. */
const copySessions = ({ dataDir }: Gatehouse) => {
  const database = new DatabaseSync(`${dataDir}/gatehouse.sqlite`, { timeout: 5000 })
  const columns = ['User', 'Created', 'Seen', 'Expires', 'Address', 'Factor', 'Confirmed'].map(name => `"session${name}"`).join(', ')
  database.exec(
    `insert into sessions ("sessionSelector", "sessionHash", "sessionUserAgent", ${columns})
     select 'copy-' || "sessionSelector", "sessionHash", 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', ${columns} from sessions`,
  )
  database.close()
}

/** Opens the dialog of an action and confirms it. */
const act = async (page: Page, button: string) => {
  await page.getByRole('button', { name: button, exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: button, exact: true }).click()
}
const done = (page: Page, text: string) => expect(page.getByRole('status').filter({ hasText: text })).toBeVisible()
/** All axe violations, including best practices such as unique landmark names and heading order. */
const violations = async (page: Page) => {
  const { violations } = await (await axeOn(page)).withTags([...wcag, 'best-practice']).analyze()
  return violations.map(({ id, nodes }) => [id, nodes.map(node => node.html)])
}
const openAda = async (page: Page) => {
  await page.getByRole('link', { name: 'Users', exact: true }).click()
  // The list and the counts update with each character.
  await page.getByLabel('Search by address').pressSequentially('da@exam')
  await expect(page.getByRole('link', { name: 'All users 1', exact: true })).toBeVisible()
  await expect(page).toHaveURL(/search=da%40exam/)
  await page.getByRole('link', { name: ada.username }).click()
  await expect(page.getByRole('heading', { name: ada.username })).toBeFocused()
}

test('an administrator adds, finds, signs out, unlocks, resets and deletes users, and the board counts it', async ({
  page,
  gatehouse,
  consoleLines,
}) => {
  test.setTimeout(90_000)
  const own = callsOf(page.request, gatehouse)
  await own.enrol(admin)
  await page.goto('/administration')
  await expect(page.getByRole('heading', { name: 'Sign-ins', exact: true })).toBeVisible()

  await test.step('adds a user, who is invited', async () => {
    await page.getByRole('link', { name: 'Users', exact: true }).click()
    await page.getByRole('button', { name: 'Add user' }).click()
    await expect(page.getByLabel('Email')).toBeFocused()
    await page.keyboard.type(ada.username)
    await page.getByRole('dialog').getByRole('button', { name: 'Add user' }).click()
    await done(page, 'ada@example.com was added. An invitation is on its way.')
    await expect(page.getByRole('link', { name: ada.username })).toBeVisible()
  })
  const context = await request.newContext()
  const hers = callsOf(context, gatehouse)
  const resettoken = new URL(await mailedLink(gatehouse, ada.username, 'new-password')).hash.slice(1)
  const chosen = { username: ada.username, resettoken, newpassword: ada.password, newpasswordverification: ada.password }
  expect((await hers.post(routes.resetPassword.path, chosen)).status()).toBe(200)
  await hers.enrol(ada)

  await test.step('refuses a user who is not an administrator', async () => {
    expect((await hers.get('/administration')).status()).toBe(404)
    expect((await hers.get('/administration/users')).status()).toBe(404)
    for (const route of Object.values(administrationRoutes)) {
      const body = {
        userId: 'x',
        userIdent: ada.username,
        userTZLabel: 'UTC',
        factorUUID: 'x',
        sessionId: 'x',
        from: '2026-11-20T02:00:00Z',
        until: '2026-11-20T03:00:00Z',
      }
      expect([route.path, (await hers.post(route.path, body)).ok()]).toEqual([route.path, false])
    }
  })

  await test.step("ends the user's sessions by keyboard alone, and the next request is refused", async () => {
    copySessions(gatehouse)
    await openAda(page)
    await expect(page.getByText('Can sign in')).toBeVisible()
    expect(await violations(page)).toEqual([])
    expect((await hers.get('/account')).status()).toBe(200)
    const press = async (name: string) => {
      for (let i = 0; i < 12; i++) {
        await page.keyboard.press('Tab')
        if (await page.getByRole('button', { name, exact: true }).evaluateAll(all => all.includes(document.activeElement as HTMLElement)))
          return page.keyboard.press('Enter')
      }
      throw new Error(`${name} is not reached by keyboard`)
    }
    await press('End the session on Firefox on Linux, 127.0.0.1')
    await press('End session')
    await done(page, 'A session of ada@example.com was ended.')
    await expect(page.getByRole('table', { name: 'Sessions' }).getByRole('row')).toHaveCount(2)
    expect((await hers.get('/account')).status()).toBe(200)
    await press('End all sessions')
    await expect(page.getByRole('dialog')).toContainText('Signs the user out everywhere immediately')
    await press('End all sessions')
    await done(page, 'ada@example.com was signed out everywhere.')
    expect((await hers.get('/account')).status()).toBe(303)
    await expect(page.getByText('Not signed in anywhere.')).toBeVisible()
  })

  await test.step('unlocks the user', async () => {
    const stranger = callsOf(await request.newContext(), gatehouse)
    for (let i = 0; i < 10; i++) await stranger.signIn({ ...ada, password: 'a wrong long password' })
    expect((await stranger.signIn(ada)).tag).toBe('AuthFailureFailedLogin')
    await page.reload()
    await expect(page.getByText(/^Locked until \d.* after 10 wrong passwords from 1 address$/)).toBeVisible()
    // The attempts of one browser share a row, which the keyboard can expand.
    const attempts = page.locator('details', { hasText: 'Wrong password (10 times), then refused: password locked' })
    await attempts.locator('summary').press('Enter')
    await expect(attempts.getByRole('listitem')).toHaveCount(11)
    expect(await violations(page)).toEqual([])
    signInLongAgo(gatehouse)
    await act(page, 'Unlock')
    await expect(page.getByText('For your security, enter your password to continue.')).toBeVisible()
    await expect(page.getByLabel('Password', { exact: true })).toBeFocused()
    await page.keyboard.type('a wrong password')
    await page.keyboard.press('Enter')
    await expect(page.getByText('The password is wrong.')).toBeVisible()
    await page.getByLabel('Password', { exact: true }).fill(admin.password)
    await page.keyboard.press('Enter')
    await done(page, 'ada@example.com was unlocked.')
    // Chromium logs both refusals: the session that was too old, and the wrong password.
    expect(consoleLines.splice(0)).toEqual([expect.stringContaining('403'), expect.stringContaining('403')])
    await expect(page.getByText(/Locked until/)).toHaveCount(0)
    await expect(page.getByText('Can sign in')).toBeVisible()
    expect((await stranger.signIn(ada)).tag).toBe('AuthRequires2FA')
  })

  await test.step("removes the user's second factor and forces a new password", async () => {
    await page.getByRole('button', { name: 'Remove Authenticator app' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove second factor' }).click()
    await done(page, 'A second factor of ada@example.com was removed.')
    await expect(page.getByText('No second factor.')).toBeVisible()
    await act(page, 'Force new password')
    await done(page, 'must choose a new password')
    await expect(page.getByText('Must choose a new password', { exact: true })).toBeVisible()
    await act(page, 'Email a link')
    await done(page, 'A link to choose a password is on its way to ada@example.com.')
    await expect.poll(() => mailedLink(gatehouse, ada.username, 'new-password')).not.toContain(resettoken)
    expect((await hers.signIn(ada)).tag).toBe('AuthFailureForcedReset')
  })

  await test.step('deletes the user after the address is typed, and shows the list without them', async () => {
    await act(page, 'Delete user')
    await expect(page.getByText('This is not the address of this user.')).toBeVisible()
    await page.getByLabel('Type ada@example.com to confirm').fill(ada.username)
    await page.getByRole('dialog').getByRole('button', { name: 'Delete user' }).click()
    await done(page, 'ada@example.com was deleted.')
    await expect(page).toHaveURL(`${gatehouse.url}/administration/users`)
    await expect(page.getByRole('link', { name: admin.username })).toBeVisible()
    await expect(page.getByRole('link', { name: ada.username })).toHaveCount(0)
    await page.goBack()
    await expect(page.getByText('This user no longer exists.')).toBeVisible()
    expect(consoleLines.splice(0)).toEqual([expect.stringContaining('404')])
  })

  await test.step('the charts and tables count every sign-in and failure', async () => {
    await page.getByRole('link', { name: 'Sign-ins', exact: true }).click()
    const tile = (name: string) => page.locator('dl > div', { hasText: name }).locator('dd')
    await expect(tile('Signed in')).toHaveText('2')
    await expect(tile('Failed')).toHaveText('11')
    await expect(tile('Blocked by lockout')).toHaveText('1')
    const sums = async (name: string) => {
      const table = page.getByRole('table', { name })
      // Read all cells in one call: the page may update the figures between two calls.
      const { names, cells, rows } = await table.evaluate(table => {
        const texts = (within: Element, selector: string) => [...within.querySelectorAll(selector)].map(cell => cell.textContent)
        return {
          names: texts(table, 'thead th').slice(1),
          cells: texts(table, 'tfoot td'),
          rows: [...table.querySelectorAll('tbody tr')].map(row => texts(row, 'td').map(Number)),
        }
      })
      // The last row is the sum of the others.
      expect(cells.map(Number)).toEqual(names.map((_, column) => rows.reduce((sum, row) => sum + (row[column] ?? 0), 0)))
      return Object.fromEntries(names.map((one, column) => [one, Number(cells[column])]))
    }
    expect(await sums('Sign-ins and failures')).toEqual({
      'Signed in': 2,
      'Wrong password': 10,
      Locked: 1,
      'Must reset the password': 1,
      Total: 14,
    })
    expect(await sums('Sign-in method')).toEqual({ Password: 3, Total: 3 })
    expect(await sums('Second factor')).toEqual({ 'Authenticator app': 2, Total: 2 })
    await page.getByRole('link', { name: '30 days' }).click()
    await expect(page).toHaveURL(/range=Month/)
    await expect(tile('Failed')).toHaveText('11')
    // The canvas is not blank.
    const inked = page.locator('section canvas').first()
    await expect
      .poll(() =>
        inked.evaluate((canvas: HTMLCanvasElement) =>
          canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data.some(Boolean),
        ),
      )
      .toBe(true)
  })

  await test.step('a bar and a legend entry of a chart open the sign-ins that they count', async () => {
    await page.getByRole('link', { name: 'Wrong password 10' }).click()
    await expect(page.getByRole('heading', { name: 'Wrong password' })).toBeFocused()
    const steps = page.getByRole('table', { name: 'Sign-in attempts' }).locator('tbody tr')
    await expect(steps).toHaveCount(10)
    expect(await violations(page)).toEqual([])
    await page.getByRole('link', { name: 'Back to the charts' }).click()
    const chart = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Second factor', exact: true }) })
    // The middle pixel of all pixels in the color of the bar.
    const barIn = () =>
      chart.evaluate(section => {
        const [canvas, swatch] = section.querySelectorAll('canvas')
        if (!canvas || !swatch || canvas.width === 0) return undefined
        const pen = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true })
        if (!pen) return undefined
        pen.drawImage(canvas, 0, 0)
        const color = getComputedStyle(swatch).color.match(/\d+/g)?.map(Number) ?? []
        const { data, width } = pen.getImageData(0, 0, canvas.width, canvas.height)
        const found: number[] = []
        for (let i = 0; i < data.length; i += 4) if (color.every((value, channel) => data[i + channel] === value)) found.push(i / 4)
        const middle = found[Math.floor(found.length / 2)]
        const scale = canvas.clientWidth / canvas.width
        return middle === undefined ? undefined : { x: (middle % width) * scale, y: Math.floor(middle / width) * scale }
      })
    await expect.poll(barIn).toBeDefined()
    await chart
      .locator('canvas')
      .first()
      .click({ position: (await barIn()) ?? { x: 0, y: 0 } })
    await expect(page.getByRole('heading', { name: 'Authenticator app' })).toBeFocused()
    await expect(steps).toHaveCount(2)
    await page.goBack()
    await expect(page.getByRole('heading', { name: 'Sign-ins', exact: true })).toBeFocused()
  })

  await test.step('a tile opens the sign-ins that it counts', async () => {
    const tiles = page.locator('dl')
    const steps = page.getByRole('table', { name: 'Sign-in attempts' })
    for (const [name, count, columns] of [
      ['Signed in', 2, ['When', 'User', 'Method', 'From']],
      ['Failed', 11, ['When', 'User', 'Result', 'From']],
      ['Blocked by lockout', 1, ['When', 'User', 'Method', 'From']],
    ] as const) {
      await tiles.getByRole('link', { name, exact: true }).click()
      await expect(steps.locator('tbody tr')).toHaveCount(count)
      await expect(steps.getByRole('columnheader')).toHaveText([...columns])
      expect(await violations(page)).toEqual([])
      await page.goBack()
    }
    await expect(page.getByRole('heading', { name: 'Sign-ins', exact: true })).toBeFocused()
  })

  await test.step('sorts the users, and keeps the sort order in the URL', async () => {
    await page.getByRole('link', { name: 'Users', exact: true }).click()
    await page.getByRole('link', { name: 'Last sign-in' }).click()
    await expect(page).toHaveURL(/sort=LastSignIn&descending=yes/)
    await expect(page.getByRole('columnheader', { name: 'Last sign-in' })).toHaveAttribute('aria-sort', 'descending')
    await page.reload()
    await expect(page.getByRole('columnheader', { name: 'Last sign-in' })).toHaveAttribute('aria-sort', 'descending')
  })

  await test.step('every section fits a phone screen', async () => {
    await page.setViewportSize({ width: 360, height: 740 })
    for (const section of ['Sign-ins', 'Users', 'Missing second factors', 'Pending emails']) {
      await page.getByRole('link', { name: section, exact: true }).click()
      await expect(page.getByRole('heading', { level: 1, name: section })).toBeFocused()
      await expect(page.getByText('Loading')).toHaveCount(0)
      expect([section, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([section, 360])
      expect([section, await violations(page)]).toEqual([section, []])
    }
  })

  await test.step('lists are tables on screens at least 640 px wide', async () => {
    await page.setViewportSize({ width: 640, height: 740 })
    await page.getByRole('link', { name: 'Users', exact: true }).click()
    const cells = page.getByRole('row').filter({ hasText: admin.username }).getByRole('cell')
    // The list loads after the click.
    await expect(cells).toHaveCount(6)
    const tops = await cells.evaluateAll(all => all.map(cell => cell.getBoundingClientRect().top))
    expect([tops.length, new Set(tops).size]).toEqual([6, 1])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(640)
  })

  await test.step('signs out', async () => {
    await page.getByRole('button', { name: 'Sign out' }).click()
    await expect(page).toHaveURL(`${gatehouse.url}/`)
    expect((await own.get('/account')).status()).toBe(303)
  })
})
