import type { BrowserContext } from '@playwright/test'
import { PNG } from 'pngjs'
import { axeOn, wcag } from './axe.ts'
import { chromiumFlags, fullChromium } from './chromium.ts'
import { expect, test } from './gatehouse.ts'
import { heading, openPhone } from './phone.ts'

test.describe.configure({ timeout: 90_000 })
// The headless shell shows no notifications.
test.use({ launchOptions: { executablePath: fullChromium, args: chromiumFlags } })

const installed = async (context: BrowserContext) => (context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'))).url()

test('the approver can be installed, opens offline, notifies without a name and fits a small screen', async ({ browser, gatehouse }) => {
  const { context, phone } = await openPhone(browser, gatehouse)
  await context.grantPermissions(['notifications'])
  await phone.goto('/approve')
  expect(await installed(context)).toBe(`${gatehouse.url}/approve-worker.js`)
  await phone.evaluate(async () => void (await navigator.serviceWorker.ready))
  await expect.poll(() => phone.evaluate(() => navigator.serviceWorker.controller?.state)).toBe('activated')

  const manifest = await phone.evaluate(async () => {
    const { href } = document.querySelector<HTMLLinkElement>('link[rel=manifest]') ?? { href: '' }
    return (await fetch(href)).json()
  })
  expect(manifest).toMatchObject({ name: 'Gatehouse approver', start_url: '/approve', scope: '/approve', display: 'standalone' })
  const icons: { src: string; sizes: string; purpose: string }[] = manifest.icons
  expect(icons.map(({ sizes, purpose }) => [sizes, purpose])).toEqual([
    ['192x192', 'any'],
    ['512x512', 'any'],
    ['512x512', 'maskable'],
  ])
  for (const { src, sizes } of icons) {
    const { width, height } = PNG.sync.read(await (await context.request.get(src)).body())
    expect(`${width}x${height}`).toBe(sizes)
  }

  await phone.setViewportSize({ width: 320, height: 568 })
  expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
  const { violations } = await (await axeOn(phone)).withTags(wcag).analyze()
  expect(violations.map(({ id, nodes }) => [id, nodes.map(node => node.html)])).toEqual([])

  // The push message contains no secret, and the lock screen shows only this text.
  const session = await context.newCDPSession(phone)
  const registration = new Promise<string>(resolve =>
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [one] }) => one && resolve(one.registrationId)),
  )
  const workerErrors: string[] = []
  session.on('ServiceWorker.workerErrorReported', ({ errorMessage }) => workerErrors.push(errorMessage.errorMessage))
  await session.send('ServiceWorker.enable')
  const message = { origin: gatehouse.url, registrationId: await registration, data: '{"wake":true}' }
  const shown = () =>
    phone.evaluate(async () => (await (await navigator.serviceWorker.ready).getNotifications()).map(({ title, body }) => [title, body]))
  await expect(async () => {
    // Chromium silently drops push messages when busy, so deliver it again. The notification still appears only once.
    await session.send('ServiceWorker.deliverPushMessage', message)
    await expect.poll(shown).toEqual([['Gatehouse: someone is trying to sign in', '']])
  }).toPass({ timeout: 20_000 })
  expect(workerErrors).toEqual([])

  // The page stores the text in its language. The worker adds the product's name.
  const stored = await phone.evaluate(async () => {
    const cache = await caches.open('gatehouse-approver')
    const before = await (await cache.match('/approve-notification'))?.json()
    await cache.put('/approve-notification', Response.json({ ...before, title: 'Jemand meldet sich an: {product}' }))
    return before
  })
  expect(stored).toEqual({ title: '{product}: someone is trying to sign in', lang: 'en', dir: 'ltr' })
  await expect(async () => {
    await session.send('ServiceWorker.deliverPushMessage', message)
    await expect.poll(shown).toEqual([['Jemand meldet sich an: Gatehouse', '']])
  }).toPass({ timeout: 20_000 })

  await context.setOffline(true)
  await phone.reload()
  await heading(phone, 'Set up this phone')
  expect(await phone.evaluate(async () => (await caches.keys()).length)).toBe(1)
  const kept = await phone.evaluate(async () => {
    const [name = ''] = await caches.keys()
    return (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname)
  })
  for (const path of kept) expect(path).toMatch(/^\/(approve|approve\.webmanifest|approve-notification|assets\/.+)$/)
  await context.close()
})
