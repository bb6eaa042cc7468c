import { expect, onTestFinished, test } from 'vitest'
import { minutes, seconds } from '../../src/limits.ts'
import { enroll } from '../support/authenticator.ts'
import { ada, startServer } from '../support/harness.ts'
import { enrollDevice, requestApproval } from './device.ts'
import { makeSubscription, type Posted, readVapid, startPushEndpoint } from './push-service.ts'

const startWithDevice = async (env: Record<string, string> = {}) => {
  const server = await startServer({ env: { GATEHOUSE_SECOND_FACTOR: 'skippable', ...env } })
  await server.addUser()
  const computer = server.openBrowser()
  await enroll(computer, server.clock)
  const phone = await enrollDevice(computer, server.openBrowser(), server.config.publicUrl.origin)
  await phone.verify()
  return { server, computer, phone, subscribe: phone.subscribe }
}

/** Everything sent to the push service, and the decrypted text. */
const seen = ({ path, headers, body }: Posted, text = '') => `${path} ${JSON.stringify(headers)} ${body.toString('latin1')} ${text}`

test('Web Push: sends a signed message to the push service at once, without any secret or name', async () => {
  const { server, phone, subscribe } = await startWithDevice({ GATEHOUSE_PUSH_PRIVATE: 'on' })
  const service = await startPushEndpoint()
  const { subscription, decrypt } = makeSubscription(`${service.url}/send/some-device`)
  expect((await phone.pending()).wake.subscribed).toBe(false)
  expect(await subscribe(subscription)).toBe(200)
  const { wake } = await phone.pending()
  expect(wake.subscribed).toBe(true)
  const browser = server.openBrowser()
  const asked = await requestApproval(browser)
  await server.pushNotifier.round()
  const [posted] = service.posted
  if (!posted) throw new Error('nothing was sent')
  expect([posted.path, posted.headers.ttl, posted.headers.urgency]).toEqual(['/send/some-device', '120', 'high'])
  const { isSigned, key, claims } = readVapid(posted.headers.authorization)
  expect([isSigned, key, claims.aud, claims.sub]).toEqual([true, wake.webPushKey, service.url, 'mailto:gatehouse@localhost'])
  const text = decrypt(posted.body)
  expect(text).toBe('{"wake":true}')
  for (const secret of [asked.challengeNumber, asked.challengeUUID, ada.username, phone.userId, phone.factorUUID])
    expect(seen(posted, text)).not.toContain(secret)
  await server.pushNotifier.round()
  expect(service.posted).toHaveLength(1)

  // Retries a busy service, and does not follow a redirect.
  const other = await startPushEndpoint()
  Object.assign(service, { status: 307, location: `${other.url}/stolen` })
  await requestApproval(browser)
  await server.pushNotifier.round()
  await server.pushNotifier.round()
  expect([service.posted.length, other.posted.length]).toEqual([2, 0])
  service.status = 201
  server.clock.advance(seconds(3))
  await server.pushNotifier.round()
  expect(service.posted).toHaveLength(3)
  // The service reports that the subscription is gone, so the server deletes it.
  service.status = 410
  await requestApproval(browser)
  await server.pushNotifier.round()
  expect((await phone.pending()).wake.subscribed).toBe(false)
  expect(await server.db.selectFrom('push_wakes').selectAll().execute()).toEqual([])
  const counted = [...(await server.metrics.render()).matchAll(/^gatehouse_push_notifications_total\{(.+)\} ([1-9]\d*)$/gm)]
  expect(counted.map(([, labels, value]) => `${labels} ${value}`).sort()).toEqual([
    'channel="web-push",result="accepted" 2',
    'channel="web-push",result="failed" 1',
    'channel="web-push",result="gone" 1',
  ])
  expect(await subscribe(subscription)).toBe(200)
  expect(await subscribe(null)).toBe(200)
  expect((await phone.pending()).wake.subscribed).toBe(false)
})

test('sends nothing for a decided challenge, and takes over a notification from a dead server', async () => {
  const { server, phone, subscribe } = await startWithDevice({ GATEHOUSE_PUSH_PRIVATE: 'on' })
  const service = await startPushEndpoint()
  await subscribe(makeSubscription(service.url).subscription)
  const browser = server.openBrowser()
  const asked = await requestApproval(browser)
  await phone.answer(asked.challengeUUID, 'Approve', asked.challengeNumber)
  await server.pushNotifier.round()
  await requestApproval(browser)
  server.clock.advance(minutes(2))
  await server.pushNotifier.round()
  expect([service.posted.length, await server.db.selectFrom('push_wakes').selectAll().execute()]).toEqual([0, []])
  await requestApproval(browser)
  await server.db
    .updateTable('push_wakes')
    .set({ pushWakeNext: server.clock.at + seconds(15), pushWakeAttempts: 1 })
    .execute()
  await server.pushNotifier.round()
  expect(service.posted).toHaveLength(0)
  server.clock.advance(seconds(15))
  await server.pushNotifier.round()
  expect(service.posted).toHaveLength(1)
})

const hangingService = async () => {
  const { server, phone, computer, subscribe } = await startWithDevice({ GATEHOUSE_PUSH_PRIVATE: 'on' })
  const slow = await startPushEndpoint()
  slow.hangs = true
  await subscribe(makeSubscription(slow.url).subscription)
  return { server, phone, computer, slow, wakes: () => server.db.selectFrom('push_wakes').selectAll().execute() }
}

test('RX-18: a push service that never answers does not delay another push service’s devices', async () => {
  const { server, computer, slow } = await hangingService()
  const quick = await startPushEndpoint()
  const tablet = await enrollDevice(computer, server.openBrowser(), server.config.publicUrl.origin, { name: 'Tablet' })
  await tablet.verify()
  const { subscription } = makeSubscription(quick.url)
  await tablet.subscribe(subscription)
  server.pushNotifier.start()
  onTestFinished(() => server.pushNotifier.stop())
  const browser = server.openBrowser()
  await requestApproval(browser)
  await expect.poll(() => [slow.posted.length, quick.posted.length], { timeout: seconds(2) }).toEqual([1, 1])
  // The first message to the slow service is still in flight when the second request goes out.
  await requestApproval(browser)
  await expect.poll(() => quick.posted.length, { timeout: seconds(2) }).toBe(2)
  expect(slow.posted).toHaveLength(1)
})

test('RX-17: a stopping server aborts a message to an unresponsive push service, and the notification is due again at once', async () => {
  const { server, slow, wakes } = await hangingService()
  await requestApproval(server.openBrowser())
  const round = server.pushNotifier.round()
  await expect.poll(() => slow.posted.length).toBe(1)
  const begun = performance.now()
  await server.pushNotifier.stop()
  await round
  expect(performance.now() - begun).toBeLessThan(seconds(1))
  expect(await wakes()).toMatchObject([{ pushWakeNext: server.clock.at, pushWakeAttempts: 0 }])
})

test('A36: sends no message into a private network, whether the subscription names it or a host name resolves to it', async () => {
  const { server, subscribe } = await startWithDevice()
  const service = await startPushEndpoint()
  const { port } = new URL(service.url)
  const endpoints = [
    service.url,
    `https://127.0.0.1:${port}/`,
    'https://169.254.169.254/latest',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'http://push.example.net/',
    'https://user:password@push.example.net/',
    'ftp://push.example.net/',
    'push',
  ]
  for (const endpoint of endpoints) expect([endpoint, await subscribe(makeSubscription(endpoint).subscription)]).toEqual([endpoint, 400])
  const { subscription } = makeSubscription('https://push.example.net/')
  for (const keys of [
    { p256dh: '', auth: '' },
    { ...subscription.keys, auth: 'short' },
    { ...subscription.keys, p256dh: subscription.keys.auth },
  ])
    expect(await subscribe({ ...subscription, keys })).toBe(400)
  expect(await subscribe(makeSubscription(`https://localhost:${port}/`).subscription)).toBe(200)
  await requestApproval(server.openBrowser())
  await server.pushNotifier.round()
  // Not even a connection is opened.
  expect(service.connections).toBe(0)
  expect(await server.db.selectFrom('push_wakes').select('pushWakeAttempts').execute()).toEqual([{ pushWakeAttempts: 1 }])
})

test('ntfy notifies each device on its own topic, Gotify all devices with one message; neither receives a name or number', async () => {
  const [ntfy, gotify] = [await startPushEndpoint(), await startPushEndpoint()]
  const env = { GATEHOUSE_NTFY_URL: `${ntfy.url}/`, GATEHOUSE_GOTIFY_URL: gotify.url, GATEHOUSE_GOTIFY_TOKEN: 'some-application' }
  const { server, computer, phone } = await startWithDevice({ ...env, GATEHOUSE_MAIL_FROM: 'Acme <acme@example.com>' })
  const tablet = await enrollDevice(computer, server.openBrowser(), server.config.publicUrl.origin, { name: 'Tablet' })
  await tablet.verify()
  const topics = [(await phone.pending()).wake, (await tablet.pending()).wake].map(wake => wake.ntfy?.topic ?? '')
  expect((await phone.pending()).wake).toMatchObject({ ntfy: { url: ntfy.url }, gotify: { url: gotify.url } })
  for (const topic of topics) expect(topic).toMatch(/^gatehouse-[\w-]{22}$/)
  const asked = await requestApproval(server.openBrowser())
  await server.pushNotifier.round()
  expect(ntfy.posted.map(({ path }) => path).sort()).toEqual(topics.map(topic => `/${topic}`).sort())
  const text = 'Acme: someone is trying to sign in. Open the approver.'
  expect(ntfy.posted.map(({ body, headers }) => [body.toString(), headers.click])).toEqual(
    topics.map(() => [text, 'http://localhost:8080/approve']),
  )
  expect(gotify.posted.map(({ path, headers, body }) => [path, headers['x-gotify-key'], JSON.parse(body.toString()).message])).toEqual([
    ['/message', 'some-application', text],
  ])
  for (const posted of [...ntfy.posted, ...gotify.posted])
    for (const secret of [asked.challengeNumber, asked.challengeUUID, ada.username, phone.userId])
      expect(seen(posted)).not.toContain(secret)
})

test('ntfy and Gotify show their notification in the language of the user', async () => {
  const [ntfy, gotify] = [await startPushEndpoint(), await startPushEndpoint()]
  const env = { GATEHOUSE_NTFY_URL: ntfy.url, GATEHOUSE_GOTIFY_URL: gotify.url, GATEHOUSE_GOTIFY_TOKEN: 'some-application' }
  const { server, phone } = await startWithDevice(env)
  await server.db.updateTable('users').set({ userLanguage: 'de' }).where('userId', '=', phone.userId).execute()
  await requestApproval(server.openBrowser())
  await server.pushNotifier.round()
  const text = 'Gatehouse: Jemand versucht, sich anzumelden. Öffnen Sie die Bestätigungsseite.'
  expect(ntfy.posted.map(({ body }) => body.toString())).toEqual([text])
  expect(gotify.posted.map(({ body }) => JSON.parse(body.toString()).message)).toEqual([text])
})
