import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { axeOn, wcag } from './axe.ts'
import { admin, test as base, expect, signInPage } from './gatehouse.ts'
import { send } from './protecting-requests.ts'

const prometheus = 'http://localhost:9090'

const test = base.extend({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what a fixture needs from its pattern
  settings: async ({}, use) => {
    const file = join(mkdtempSync(join(tmpdir(), 'gatehouse-passes-')), 'rules.yaml')
    writeFileSync(file, `rules:\n  - { to: '${prometheus}/metrics', allow: pass }\n  - { to: '${prometheus}/*', allow: [users, pass] }\n`)
    await use({ GATEHOUSE_RULES: file })
  },
})

test('a user creates a pass, a program uses it, and the user ends it', async ({ page, gatehouse, consoleLines }) => {
  await page.goto('/')
  await signInPage(page).signIn()
  const section = page.getByRole('region', { name: 'Passes' })
  const dialog = page.getByRole('dialog')
  await section.getByRole('button', { name: 'Create pass' }).click()
  await dialog.getByLabel('Name').fill('Backup')
  await expect(dialog.getByLabel('Addresses')).toHaveValue(`${prometheus}/*`)
  await dialog.getByLabel('Methods').fill('g3t')
  await dialog.getByRole('button', { name: 'Create pass' }).click()
  await expect(dialog.getByText('‘G3T’ must be a method in capitals')).toBeVisible()
  await expect(dialog.getByLabel('Methods')).toBeFocused()
  // Chromium itself logs every response with an error status.
  expect(consoleLines.splice(0)).toEqual([expect.stringContaining('the server responded with a status of 400')])
  expect((await (await axeOn(page)).withTags(wcag).analyze()).violations).toEqual([])
  await dialog.getByLabel('Methods').fill('get')
  await dialog.getByRole('button', { name: 'Create pass' }).click()
  const pass = (await dialog.locator('code').textContent()) ?? ''
  expect(pass).toMatch(/^gh_pass_[\w-]{73}$/)
  await dialog.getByRole('button', { name: 'I’ve saved it' }).click()
  await expect(section.getByText('Only GET, from any network')).toBeVisible()
  await expect(section.getByText('Not used yet')).toBeVisible()

  /** Sends a forward-auth check, as a proxy does. */
  const check = async (method = 'GET', shown = pass, uri = '/api/v1/query?query=up') => {
    const headers = {
      authorization: `Bearer ${shown}`,
      'x-forwarded-method': method,
      'x-forwarded-proto': 'http',
      'x-forwarded-host': 'localhost:9090',
      'x-forwarded-uri': uri,
    }
    const answer = await send(`${gatehouse.url}/auth/request`, { headers })
    return [answer.status, answer.headers['remote-user'], answer.headers['gatehouse-pass']]
  }
  expect(await check()).toEqual([200, admin.username, 'yes'])
  expect((await check('POST'))[0]).toBe(403)
  await page.reload()
  await expect(section.getByText(/^Last used just now .* from 127\.0\.0\.1$/)).toBeVisible()

  await test.step('an administrator sees it, and creates and ends a pass of a service', async () => {
    await page.goto('/administration/passes')
    await expect(page.getByRole('row', { name: 'Backup' })).toContainText(admin.username)
    expect((await (await axeOn(page)).withTags(wcag).analyze()).violations).toEqual([])
    await page.getByRole('button', { name: 'Create pass' }).press('Enter')
    await expect(dialog.getByLabel('Service')).toBeFocused()
    await page.keyboard.type('scraper')
    await dialog.getByLabel('Name').fill('Metrics')
    await dialog.getByLabel('Ends').selectOption('On a date')
    await dialog.getByLabel('Date').fill(new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10))
    expect((await (await axeOn(page)).withTags(wcag).analyze()).violations).toEqual([])
    await page.keyboard.press('Enter')
    const metrics = (await dialog.locator('code').textContent()) ?? ''
    await dialog.getByRole('button', { name: 'I’ve saved it' }).press('Enter')
    expect(await check('GET', metrics, '/metrics')).toEqual([200, 'scraper@service.invalid', 'yes'])
    await page.getByRole('link', { name: 'Service scraper' }).press('Enter')
    await expect(page.getByRole('heading', { name: 'Passes of scraper' })).toBeFocused()
    await page.getByRole('button', { name: 'End all passes' }).press('Enter')
    await dialog.getByRole('button', { name: 'End all passes' }).press('Enter')
    await expect(page.getByRole('status').filter({ hasText: 'All passes of scraper were ended.' })).toBeVisible()
    expect((await check('GET', metrics, '/metrics'))[0]).toBe(401)
  })

  // The section loads later than the page.
  await page.goto('/account#passes')
  await expect(section.getByRole('heading')).toBeInViewport()
  expect(await page.evaluate(() => scrollY)).toBeGreaterThan(0)
  await section.getByRole('button', { name: 'End pass Backup' }).click()
  await dialog.getByRole('button', { name: 'End pass' }).click()
  await expect(section.getByText('You have no passes.')).toBeVisible()
  expect((await check())[0]).toBe(401)
})
