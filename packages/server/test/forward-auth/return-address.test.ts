import { accountRoutes, pages, routes } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { limits, minutes, seconds } from '../../src/limits.ts'
import { mailedLink } from '../credentials/mailed-link.ts'
import { hostileAddresses } from '../http/hostile-addresses.ts'
import { codeAt, enroll, otpOf } from '../support/authenticator.ts'
import { ada } from '../support/harness.ts'
import { passHostileAddresses } from './hostile-returns.ts'
import { ask, grafana, page, signInFrom, start } from './return-journey.ts'

const toDashboard = [303, '/gate/account']

test(`HD-05, A14: ${hostileAddresses.length} hostile addresses never lead away from Gatehouse, however they are passed`, () =>
  passHostileAddresses(false))

test('HD-05, A14: an unknown or guessed id and a tampered row lead to the dashboard after sign-in', async () => {
  const server = await start()
  for (const address of [
    'https://evil.example/',
    '//evil.example',
    'javascript:alert(1)',
    'https://grafana.example.com@evil.example/',
    '',
  ]) {
    const browser = server.openBrowser()
    const returnId = await ask(browser, `${grafana}/x`)
    await server.db.updateTable('return_addresses').set({ returnTarget: address }).execute()
    expect([address, await signInFrom(browser, returnId)]).toEqual([address, toDashboard])
  }
  for (const cookie of [...hostileAddresses.filter(text => /^[!-~]+$/.test(text)).slice(0, 12), 'x'.repeat(22), 'a;b', '"']) {
    const browser = server.openBrowser()
    browser.jar.set('__Host-gatehouse-return', encodeURIComponent(cookie))
    const outcome = await browser.signIn()
    if (outcome.tag !== 'AuthSuccessful') throw new Error(outcome.tag)
    const { headers } = await browser.get(`/gate${pages.token(outcome.contents.authTokenSelector, outcome.contents.authTokenToken)}`, page)
    expect([cookie, headers.location]).toEqual([cookie, '/gate/account'])
  }
})

/** Addresses as users bookmark them. */
const legal = [
  `${grafana}/`,
  `${grafana}/d/abc/cluster?orgId=1&from=now-6h&to=now`,
  `${grafana}/explore?left=%7B%22queries%22:[%7B%22expr%22:%22up%7Bjob=~%5C%22a%7Cb%5C%22%7D%22%7D]%7D`,
  `${grafana}//double//slashes`,
  `${grafana}/a/../b/./c`,
  `${grafana}/%2e%2e/%2F%5C%00?%zz`,
  `${grafana}/?next=https://evil.example/&x=//evil.example`,
  `${grafana}/search?q=a+b%20c\\|'"\`{}<>`,
  'https://example.com/prometheus/graph?g0.expr=up&g0.tab=1',
  'https://x--y.example.com:8443/%F0%9F%94%92',
  `${grafana}/${'a'.repeat(2048 - grafana.length - 1)}`,
]

test(`keeps ${legal.length} valid addresses and their fragments unchanged`, async () => {
  const server = await start()
  for (const address of legal) {
    for (const fragment of ['', '#/d/abc?panel=2&x=%20']) {
      const browser = server.openBrowser()
      const returnId = await ask(browser, address)
      const tell = (returnFragment: string) => browser.call(routes.returnFragment, { returnId, returnFragment })
      if (fragment) await tell(fragment)
      // The first fragment wins. A later one changes nothing.
      if (fragment) await tell('#another')
      expect(await signInFrom(browser, returnId)).toEqual([303, address + fragment])
      // The return address is used up: the browser's next sign-in leads to the dashboard.
      expect(browser.jar.has('__Host-gatehouse-return')).toBe(false)
    }
  }
})

test('restores a prefix that Traefik stripped and reported, and ignores a malformed prefix', async () => {
  const server = await start()
  const back = async (prefix: string, address: string) => {
    const browser = server.openBrowser()
    return (await signInFrom(browser, await ask(browser, address, { 'x-forwarded-prefix': prefix })))[1]
  }
  expect(await back('/prometheus', `${grafana}/graph?x=1`)).toBe(`${grafana}/prometheus/graph?x=1`)
  expect(await back('/prometheus', `${grafana}/prometheus/graph`)).toBe(`${grafana}/prometheus/graph`)
  for (const odd of ['', '/', '//evil.example', '/x/', 'evil.example', '@evil.example', '.evil.example', '/a\\b', '/a?b', '/a#b', '/a, /b'])
    expect([odd, await back(odd, `${grafana}/graph`)]).toEqual([odd, `${grafana}/graph`])
})

test('ignores an address that cannot be stored, and signs in without it', async () => {
  const server = await start()
  const browser = server.openBrowser({ address: '10.9.9.9' })
  for (const address of [`${grafana}/${'a'.repeat(2048 - grafana.length)}`, `${grafana}/\u00e9`, `${grafana}/a b`])
    expect(await ask(browser, address)).toBeUndefined()
  const ids = []
  for (let i = 0; i <= limits.rates.returns.most; i++) ids.push(await ask(browser, `${grafana}/${i}`))
  expect(ids.map(id => id !== undefined)).toEqual([...Array(limits.rates.returns.most).fill(true), false])
  expect(await signInFrom(server.openBrowser(), ids.at(-1))).toEqual(toDashboard)
  expect(server.logged.join('')).not.toContain('grafana')
})

test('DP-02: stores an address for 30 minutes, then purges it', async () => {
  const server = await start()
  const browser = server.openBrowser()
  const returnId = await ask(browser, `${grafana}/x`)
  server.clock.advance(minutes(30) - 1)
  await server.backgroundJobs.purge()
  expect(await signInFrom(browser, returnId)).toEqual([303, `${grafana}/x`])
  const late = await ask(server.openBrowser(), `${grafana}/y`)
  server.clock.advance(minutes(30))
  expect(await signInFrom(server.openBrowser(), late)).toEqual(toDashboard)
  await server.backgroundJobs.purge()
  expect(await server.db.selectFrom('return_addresses').selectAll().execute()).toEqual([])
})

test('does not return to an address whose origin was removed from the list', async () => {
  const server = await start()
  const browser = server.openBrowser()
  const returnId = await ask(browser, `${grafana}/x`)
  await server.db.updateTable('return_addresses').set({ returnTarget: 'https://gone.example.com/x' }).execute()
  expect(await signInFrom(browser, returnId)).toEqual(toDashboard)
})

test('returns after a one-time link and recovery codes, each tab to its own address', async () => {
  const server = await start({ GATEHOUSE_SECOND_FACTOR: 'skippable' })
  const { secret } = await enroll(server.openBrowser(), server.clock)
  server.clock.advance(seconds(30))
  const browser = server.openBrowser()
  const [first, second] = [await ask(browser, `${grafana}/first`), await ask(browser, `${grafana}/second`)]
  for (const id of [first, second]) await browser.get(`/gate/?return=${id}`, page)
  // The active tab sets the cookie again.
  browser.jar.set('__Host-gatehouse-return', first ?? '')
  await browser.call(routes.magiclinkSend, [{ email: ada.username, redirect: { tag: 'RedirectDashboard' } }])
  const redeemed = await browser.call(routes.magiclinkRedeem, mailedLink(await server.deliver(), 'one-time-link'))
  expect(redeemed.tag).toBe('AuthRequires2FA')
  const otp = { ...otpOf(ada), otpPassword: '', otpVerification: await codeAt(secret, server.clock.at) }
  const outcome = await browser.call(routes.verifyOTP, otp)
  if (outcome.tag !== 'AuthSuccessful') throw new Error(outcome.tag)
  const arrived = await browser.get(`/gate${pages.token(outcome.contents.authTokenSelector, outcome.contents.authTokenToken)}`, page)
  expect(arrived.headers.location).toBe(`/gate/recovery-codes?return=${first}`)
  for (let i = 0; i < 2; i++) expect((await browser.get(arrived.headers.location ?? '', page)).body).toContain(`href="${grafana}/first"`)
  await browser.call(accountRoutes.userRecoveryCodes, {})
  expect((await browser.get(arrived.headers.location ?? '', page)).headers.location).toBe(`${grafana}/first`)
  // The other tab notices the sign-in and continues on its own.
  expect((await browser.get(`/gate/?return=${second}`, page)).headers.location).toBe(`${grafana}/second`)
})

test('the sign-in page names the product and the host where the user continues, and no other', async () => {
  const server = await start({ GATEHOUSE_NAME: 'Acme & Co' })
  const browser = server.openBrowser()
  const headingAt = async (url: string) => {
    const { body } = await browser.get(url, page)
    return [/<h1[^>]*>(.*?)<\/h1>/.exec(body)?.[1], /<p[^>]*>(to continue[^<]*)<\/p>/.exec(body)?.[1]]
  }
  const title = 'Sign in to Acme &amp; Co'
  expect(await headingAt('/gate/')).toEqual([title, undefined])
  const asked = await ask(browser, `${grafana}/d/secret-board?token=1`)
  for (let visit = 0; visit < 2; visit++)
    expect(await headingAt(`/gate/?return=${asked}`)).toEqual([title, 'to continue to grafana.example.com'])
  const other = await ask(browser, 'https://x--y.example.com:8443/')
  expect(await headingAt(`/gate/?return=${other}`)).toEqual([title, 'to continue to x--y.example.com:8443'])
  for (const id of ['a'.repeat(22), 'none', 'https://evil.example/', ''])
    expect(await headingAt(`/gate/?return=${id}`)).toEqual([title, undefined])
  expect((await browser.get(`/gate/?return=${asked}`, page)).body).not.toContain('secret-board')
})

test('a password manager’s request to change the password leads to the account page, after the sign-in and its further steps', async () => {
  const server = await start({ GATEHOUSE_DASHBOARD_URL: grafana })
  const browser = server.openBrowser()
  const { headers } = await browser.get('/.well-known/change-password', page)
  const returnId = /^https:\/\/example\.com\/gate\/\?return=([\w-]{22})$/.exec(headers.location ?? '')?.[1]
  expect(await signInFrom(browser, returnId)).toEqual([303, '/gate/account#password'])
  expect((await browser.get(`/gate/?return=${returnId}`, page)).headers.location).toBe('/gate/account#password')
  expect((await browser.get(`/gate/recovery-codes?return=${returnId}`, page)).headers.location).toBe('/gate/account#password')
  // The next sign-in leads to the dashboard again.
  expect(await signInFrom(server.openBrowser(), undefined)).toEqual([303, grafana])
})
