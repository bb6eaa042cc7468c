import { type IncomingMessage, request } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { approverRoutes, routes, socketsPath } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { limits, minutes, seconds } from '../../src/limits.ts'
import { enrollDevice, requestApproval, signInByApproval } from '../factors/device.ts'
import { enroll } from '../support/authenticator.ts'
import { type Browser, startServer } from '../support/harness.ts'
import { openSocket } from './socket.ts'

const cookiesOf = (browser: Browser) => ({ cookie: [...browser.jar].map(([name, value]) => `${name}=${value}`).join('; ') })

/** The headers of a WebSocket upgrade. */
const upgrade = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
}

/** Ada's phone, and a listening server. */
const startListening = async (env = {}) => {
  const server = await startServer({ env: { GATEHOUSE_SECOND_FACTOR: 'skippable', ...env } })
  await server.addUser()
  const computer = server.openBrowser()
  await enroll(computer, server.clock)
  const phone = await enrollDevice(computer, server.openBrowser(), server.config.publicUrl.origin)
  await phone.verify()
  const url = await server.app.listen({ host: '127.0.0.1', port: 0 })
  /** Opens the phone's WebSocket and sends the proof of the phone's key. */
  const openDevice = async () => {
    const socket = openSocket(url)
    const { contents } = await socket.next('Nonce')
    socket.send({ tag: 'Device', contents: await phone.device.prove(phone.factorUUID, contents, socketsPath) })
    return socket
  }
  return { server, computer, phone, url, openDevice }
}

test('notifies the waiting browser and the phone at once, and sends a reconnected socket the current state', async () => {
  const { server, phone, url, openDevice } = await startListening()
  const device = await openDevice()
  expect((await device.next('Pending')).contents).toBeNull()
  const browser = server.openBrowser()
  const asked = await requestApproval(browser)
  expect((await device.next('Pending')).contents).toMatchObject({ challengeUUID: asked.challengeUUID })
  const waiting = openSocket(url, { ...cookiesOf(browser), origin: server.config.publicUrl.origin })
  expect((await waiting.next('Challenge')).contents).toMatchObject({ challengeStatus: 'Pending' })
  waiting.socket.close()
  await waiting.closed
  await phone.answer(asked.challengeUUID, 'Approve', asked.challengeNumber)
  const afterAnswer = openSocket(url, cookiesOf(browser))
  expect((await afterAnswer.next('Challenge')).contents).toMatchObject({ challengeUUID: asked.challengeUUID, challengeStatus: 'Approved' })
  expect((await device.next('Pending')).contents).toBeNull()
  expect((await signInByApproval(browser)).tag).toBe('AuthSuccessful')

  const second = await requestApproval(browser)
  const reopened = openSocket(url, cookiesOf(browser))
  expect((await reopened.next('Challenge')).contents).toMatchObject({ challengeStatus: 'Pending' })
  // The challenge expires without any request.
  server.clock.advance(minutes(2))
  expect((await reopened.next('Challenge')).contents).toMatchObject({ challengeUUID: second.challengeUUID, challengeStatus: 'Expired' })
  // An anonymous socket receives only a nonce.
  const visitor = openSocket(url)
  await visitor.next('Nonce')
  expect([(await device.next('Pending')).contents?.challengeUUID, (await device.next('Pending')).contents]).toEqual([
    second.challengeUUID,
    null,
  ])
  const third = await requestApproval(browser)
  expect((await device.next('Pending')).contents?.challengeUUID).toBe(third.challengeUUID)
  expect(visitor.heard).toEqual([])
}, 30_000)

test('notifies a page whose session ended and a removed phone, and closes every socket when the server stops', async () => {
  const { server, computer, phone, url, openDevice } = await startListening()
  const page = openSocket(url, cookiesOf(computer))
  await page.next('Nonce')
  const device = await openDevice()
  await device.next('Pending')
  expect(page.heard).toEqual([])
  await server.db.deleteFrom('factors').where('factorUUID', '=', phone.factorUUID).execute()
  await device.next('Revoked')
  await computer.call(routes.logoutBySelf, {})
  await page.next('SessionEnded')
  // A phone that connects after its removal is notified too.
  const { contents } = await openSocket(url).next('Nonce')
  const late = openSocket(url)
  await late.next('Nonce')
  late.send({ tag: 'Device', contents: await phone.device.prove(phone.factorUUID, contents, socketsPath) })
  await late.next('Revoked')
  await server.app.close()
  expect(await Promise.all([page.closed, device.closed, late.closed])).toEqual([1000, 1005, 1005])
})

test('HD-06: refuses a foreign origin with 403, and closes a socket within 5 s after its session ends on any server', async () => {
  const server = await startServer({ env: { GATEHOUSE_SECOND_FACTOR: 'off' } })
  await server.addUser()
  const url = await server.app.listen({ host: '127.0.0.1', port: 0 })
  const [staying, leaving, ended] = [server.openBrowser(), server.openBrowser(), server.openBrowser()]
  for (const browser of [staying, leaving, ended]) await browser.enter()

  const refused = await new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { ...cookiesOf(staying), ...upgrade, origin: 'https://evil.example' }
    request(url + socketsPath, { headers }, resolve)
      .on('error', reject)
      .end()
  })
  refused.resume()
  expect(refused.statusCode).toBe(403)

  const open = async (browser: Browser) => {
    const socket = openSocket(url, { ...cookiesOf(browser), origin: server.config.publicUrl.origin })
    await socket.next('Nonce')
    return socket
  }
  const sockets = [await open(staying), await open(leaving), await open(ended)] as const
  await leaving.call(routes.logoutBySelf, {})
  expect(await Promise.race([sockets[1].closed, setTimeout(seconds(5), 'open')])).toBe(1000)
  // Another server ends the session, so this one receives no change event.
  const selectors = [...ended.jar.values()].flatMap(value => value.split('.').slice(0, 1))
  await server.db.deleteFrom('sessions').where('sessionSelector', 'in', selectors).execute()
  expect(await Promise.race([sockets[2].closed, setTimeout(seconds(5), 'open')])).toBe(1000)
  expect(sockets[0].socket.readyState).toBe(WebSocket.OPEN)
}, 30_000)

test(
  'CS-01: refuses sockets from other sites, invalid, oversized or excessive messages, and too many sockets',
  async () => {
    const { server, phone, url } = await startListening()
    const evil = openSocket(url, { origin: 'https://evil.example' })
    expect(await evil.closed).toBe(1006)
    expect((await server.openBrowser().send('GET', socketsPath)).statusCode).toBe(426)
    const { nonce } = await phone.phone.call(approverRoutes.nonce, {})
    const proof = await phone.device.prove(phone.factorUUID, nonce, socketsPath)
    const frames: [unknown, number][] = [
      ['not JSON', 1008],
      [{ tag: 'Device', contents: { ...proof, more: 1 } }, 1008],
      [{ tag: 'Device', contents: { ...proof, signature: proof.signature.replace(/^./, first => (first === 'x' ? 'y' : 'x')) } }, 1008],
      [{ tag: 'Device', contents: { ...proof, nonce: 'made-up' } }, 1008],
      // A proof for a call, not for the socket.
      [{ tag: 'Device', contents: await phone.prove(approverRoutes.pending.path) }, 1008],
      ['x'.repeat(limits.sockets.bytes + 1), 1009],
    ]
    for (const [frame, code] of frames) {
      const socket = openSocket(url)
      await socket.next('Nonce')
      socket.send(frame)
      expect([frame, await socket.closed]).toEqual([frame, code])
    }
    // PU-06: a proof that opened one socket opens no other.
    const shown = { tag: 'Device', contents: await phone.prove(socketsPath) }
    const [first, second] = [openSocket(url), openSocket(url)]
    await Promise.all([first.next('Nonce'), second.next('Nonce')])
    first.send(shown)
    await first.next('Pending')
    second.send(shown)
    expect(await second.closed).toBe(1008)
    first.socket.close()
    await first.closed
    const chatty = openSocket(url)
    await chatty.next('Nonce')
    for (let i = 0; i <= limits.sockets.frames; i++) chatty.send({ tag: 'Device', contents: proof })
    expect(await chatty.closed).toBe(1008)
    const many = Array.from({ length: limits.sockets.perAddress }, () => openSocket(url))
    await Promise.all(many.map(socket => socket.next('Nonce')))
    expect(await openSocket(url).closed).toBe(1013)
  },
  seconds(30),
)

test('ignores a protocol upgrade outside the WebSocket path', async () => {
  const server = await startServer({ env: { GATEHOUSE_PROTECTED_ORIGINS: 'http://localhost:3000' } })
  const url = await server.app.listen({ host: '127.0.0.1', port: 0 })
  await server.addUser()
  const browser = server.openBrowser()
  await browser.enter()
  const check = { 'x-forwarded-proto': 'http', 'x-forwarded-host': 'localhost:3000', 'x-forwarded-uri': '/' }
  const statusOf = (path: string, headers: Record<string, string>) =>
    new Promise<number | undefined>((resolve, reject) => {
      const asked = request(new URL(path, url), { headers: { ...headers, ...upgrade } })
      const tell = ({ statusCode, socket }: IncomingMessage) => {
        resolve(statusCode)
        socket.destroy()
      }
      asked.on('response', tell).on('upgrade', tell).on('error', reject).end()
    })
  for (const path of ['/auth/forward', '/auth/request']) {
    expect(await statusOf(path, check)).toBe(401)
    expect(await statusOf(path, { ...check, ...cookiesOf(browser) })).toBe(200)
  }
  expect(await statusOf('/healthz', {})).toBe(200)
  expect(await statusOf(socketsPath, { origin: server.config.publicUrl.origin })).toBe(101)
})

test('TH-17, CS-01: limits the sockets of one IPv6 /48 across its /64 networks', async () => {
  const server = await startServer({ env: { GATEHOUSE_TRUSTED_PROXIES: '127.0.0.1' } })
  const url = await server.app.listen({ host: '127.0.0.1', port: 0 })
  const most = limits.sockets.perAddress * limits.rates.siteTimes
  const from = (address: string) => openSocket(url, { 'x-forwarded-for': address })
  const inside = Array.from({ length: most }, (_, i) => from(`2001:db8:1:${i.toString(16)}::1`))
  await Promise.all(inside.map(socket => socket.next('Nonce')))
  expect(await from('2001:db8:1:ffff::1').closed).toBe(1013)
  await from('2001:db8:2::1').next('Nonce')
  await from('198.51.100.7').next('Nonce')
})
