import { plainPages as at } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { enroll } from '../support/authenticator.ts'
import { ada, isSignedIn, startServer } from '../support/harness.ts'

const codesIn = (body: string) => body.match(/(?<=<li[^>]*>)([a-z2-7]{4}-){3}[a-z2-7]{4}(?=<)/g) ?? []

test('SE-06: signs out with a form', async () => {
  const server = await startServer()
  await server.addUser()
  const browser = server.openBrowser()
  await browser.enter()
  const [page, session] = [await browser.get('/account'), browser.jar.get('gatehouse-session')]
  // Otherwise browsers send the form with `Origin: null`, which the server refuses.
  expect(page.headers['referrer-policy']).toBe('same-origin')
  expect(page.body).toMatch(/<form method="post">(?:(?!<\/form>).)*Sign out/)
  const out = await browser.submit('/account', {})
  expect([out.statusCode, out.headers.location, browser.jar.has('gatehouse-session')]).toEqual([303, '/', false])
  browser.jar.set('gatehouse-session', session ?? '')
  expect(await isSignedIn(browser)).toBe(false)
  // A page left open submits the form again.
  expect((await browser.submit('/account', {})).headers.location).toBe('/')
})

test('creates recovery codes with a form, shows them once, and accepts one at sign-in', async () => {
  const server = await startServer({ env: { GATEHOUSE_SECOND_FACTOR: 'skippable', GATEHOUSE_DASHBOARD_URL: 'https://dash.example/' } })
  await server.addUser()
  const browser = server.openBrowser()
  expect((await browser.submit('/recovery-codes', {})).headers.location).toBe('/')
  await enroll(browser, server.clock)
  expect(codesIn((await browser.get('/recovery-codes')).body)).toEqual([])
  const [made, twice] = await Promise.all([browser.submit('/recovery-codes', {}), browser.submit('/recovery-codes', {})])
  const shown = made.statusCode === 200 ? made : twice
  expect([made, twice].map(({ statusCode }) => statusCode).sort()).toEqual([200, 303])
  const codes = codesIn(shown.body)
  expect([new Set(codes).size, shown.headers['cache-control']]).toEqual([10, 'no-store'])
  expect(shown.body).toContain('href="https://dash.example/"')
  const again = await browser.submit('/recovery-codes', {})
  expect([again.statusCode, again.headers.location, codesIn((await browser.get('/account')).body)]).toEqual([
    303,
    'https://dash.example/',
    [],
  ])
  expect(server.logged.join()).not.toContain(codes[0])

  const other = server.openBrowser()
  await other.submit(at.login, ada)
  const done = await other.submit(at.recoveryCode, { 'recovery-code': codes[3] ?? '' })
  await other.get(String(done.headers.location))
  expect(await isSignedIn(other)).toBe(true)
})

test.each([
  ['another host', 'https://grafana.example.com/d/abc?orgId=1', ['https://grafana.example.com/d/abc?orgId=1', 'grafana.example.com']],
  ['this page', undefined, undefined],
  ['another page of this server', '/administration', undefined],
])('links to the dashboard only if that is on another host: %s', async (_, dashboard, link) => {
  const server = await startServer(dashboard === undefined ? {} : { env: { GATEHOUSE_DASHBOARD_URL: dashboard } })
  await server.addUser()
  const browser = server.openBrowser()
  await browser.enter()
  const { body } = await browser.get('/account')
  const [, href, name] =
    /<a href="([^"]*)"[^>]*><span[^>]*>(?:<span[^>]*>)?<svg.*?<\/svg>(?:<\/span>)? (?:<!-- -->)?Back to ([^<]*)</.exec(body) ?? []
  expect(href && [href, name]).toEqual(link)
})
