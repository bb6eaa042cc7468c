import { approverRoutes, routes, socketsPath } from '@gatehouse/wire'
import { expect, inject, test } from 'vitest'
import { seconds } from '../../src/limits.ts'
import { deploymentOf, enroll, otp, outcomeOf } from '../credentials/deployment.ts'
import { enrollDeviceIn, requestApprovalIn } from '../credentials/deployment-device.ts'
import { openSocket } from '../http/socket.ts'
import { makeInstallation, startProcess } from '../processes/processes.ts'
import { freePort } from '../support/free-port.ts'

const ada = { username: 'ada@example.com', password: 'correct horse battery' }
const cookiesOf = (jar: ReadonlyMap<string, string>) => ({ cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') })

test('a killed server loses no challenge; after a restart, a WebSocket reports its approval within four seconds', {
  timeout: 60_000,
}, async () => {
  const installation = await makeInstallation()
  const onPostgres = inject('postgres') !== ''
  const env = { ...installation.env, GATEHOUSE_SECOND_FACTOR: 'skippable' }
  const ports = await Promise.all(Array.from({ length: onPostgres ? 3 : 1 }, (_, n) => (n === 0 ? installation.port : freePort())))
  const start = (port: number) =>
    startProcess({ ...env, GATEHOUSE_LISTEN: `127.0.0.1:${port}`, GATEHOUSE_PUBLIC_URL: `http://localhost:${installation.port}` })
  const servers = ports.map(start)
  await Promise.all(servers.map(server => server.ready))
  const urls = ports.map(port => `http://127.0.0.1:${port}`)
  const [first = '', last = ''] = [urls[0], urls.at(-1)]
  const deployment = await deploymentOf(urls, installation)
  await deployment.addUser(ada)
  const { client, token } = await enroll(deployment, ada)
  await client.post(routes.plowlogin.path, token)
  const phone = await enrollDeviceIn(deployment, client, ada)
  const device = openSocket(last)
  device.send({ tag: 'Device', contents: await phone.device.prove(phone.factorUUID, (await device.next('Nonce')).contents, socketsPath) })
  expect((await device.next('Pending')).contents).toBeNull()

  const browser = deployment.open()
  const asked = await requestApprovalIn(browser, ada)
  const waiting = openSocket(first, cookiesOf(browser.jar))
  expect((await waiting.next('Challenge')).contents).toMatchObject({ challengeStatus: 'Pending' })
  expect((await device.next('Pending')).contents).toMatchObject({ challengeUUID: asked.challengeUUID })

  const proof = await phone.prove()
  const prove = async (url: string) => {
    const headers = { 'content-type': 'application/json', origin: `http://localhost:${installation.port}` }
    return (await fetch(url + approverRoutes.pending.path, { method: 'POST', headers, body: JSON.stringify(proof) })).status
  }
  expect(await prove(last)).toBe(200)
  // PU-06: every server refuses a proof that one server accepted, even after a crash.
  expect(await Promise.all(urls.map(prove))).toEqual(urls.map(() => 403))

  const [server] = servers
  server?.child.kill('SIGKILL')
  await server?.ended
  await waiting.closed
  await start(installation.port).ready
  expect(await prove(first)).toBe(403)
  const again = openSocket(first, cookiesOf(browser.jar))
  expect((await again.next('Challenge')).contents).toMatchObject({ challengeUUID: asked.challengeUUID, challengeStatus: 'Pending' })
  expect(await phone.pending()).toMatchObject({ challengeUUID: asked.challengeUUID })
  const before = Date.now()
  await phone.approve(asked.challengeUUID, asked.challengeNumber)
  expect((await again.next('Challenge')).contents).toMatchObject({ challengeStatus: 'Approved' })
  expect(Date.now() - before).toBeLessThan(seconds(4))
  expect(outcomeOf(await browser.post(routes.verifyOTP.path, otp(ada, null))).tag).toBe('AuthSuccessful')
})
