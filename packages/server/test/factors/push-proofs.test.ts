import { accountRoutes, approverRoutes } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { minutes } from '../../src/limits.ts'
import { requestApproval, subscribing } from './device.ts'
import { approved, startWithDevice } from './enrolled-phone.ts'
import { makeSubscription } from './push-service.ts'

test('PU-06: a proof works only for the call and the body that it signs', async () => {
  const { server, phone } = await startWithDevice({ GATEHOUSE_PUSH_PRIVATE: 'on' })
  const { subscription: own } = makeSubscription('https://127.0.0.1:9/send/own')
  const { subscription: theirs } = makeSubscription('https://127.0.0.1:9/send/theirs')
  expect(await phone.subscribe(own)).toBe(200)
  const { pending, subscribe, leave } = approverRoutes
  const bodies = [
    { path: pending.path, said: '', body: {} },
    { path: leave.path, said: '', body: {} },
    { path: subscribe.path, said: subscribing(own), body: { subscription: own } },
    { path: subscribe.path, said: subscribing(theirs), body: { subscription: theirs } },
    { path: subscribe.path, said: subscribing(null), body: { subscription: null } },
    { path: subscribe.path, said: subscribing(null), body: {} },
  ]
  const endpoints = () => server.db.selectFrom('push_subscriptions').select('pushSubscriptionEndpoint').execute()
  for (const made of bodies) {
    for (const sent of bodies) {
      if (made.path === sent.path && made.said === sent.said) continue
      const proof = await phone.prove(made.path, made.said)
      const { statusCode } = await phone.phone.send('POST', sent.path, { ...proof, ...sent.body })
      expect([made, sent.path, sent.said, statusCode]).toEqual([made, sent.path, sent.said, 403])
    }
  }
  // The same characters, split in another place, are another subscription.
  const cut = { endpoint: own.endpoint, keys: { p256dh: `${own.keys.p256dh}${own.keys.auth.slice(0, 1)}`, auth: own.keys.auth.slice(1) } }
  const proof = await phone.prove(subscribe.path, subscribing(own))
  expect((await phone.phone.send('POST', subscribe.path, { ...proof, subscription: cut })).statusCode).not.toBe(200)
  expect(await endpoints()).toEqual([{ pushSubscriptionEndpoint: own.endpoint }])
  expect((await phone.pending()).verified).toBe(true)
})

test('PU-06: a proof works once, even in twenty parallel calls; no other call accepts its nonce', async () => {
  const { server, phone, computer } = await startWithDevice()
  const { pending, leave } = approverRoutes
  const status = async (path: string, body: object) => (await server.openBrowser().send('POST', path, body)).statusCode
  const proof = await phone.prove(pending.path)
  expect(await status(pending.path, proof)).toBe(200)
  expect(await status(pending.path, proof)).toBe(403)
  const raced = await phone.prove(pending.path)
  const statuses = await Promise.all(Array.from({ length: 20 }, () => status(pending.path, raced)))
  expect(statuses.toSorted()).toEqual([200, ...Array<number>(19).fill(403)])
  expect(await status(leave.path, await phone.device.prove(phone.factorUUID, raced.nonce, leave.path))).toBe(403)
  // A wrong signature consumes no nonce: otherwise an attacker could consume those of others.
  const spared = await phone.prove(pending.path)
  expect(await status(pending.path, { ...spared, signature: raced.signature })).toBe(403)
  expect(await status(pending.path, spared)).toBe(200)
  // The audit log records replays; the user's activity list does not show them.
  const refused = await server.db.selectFrom('audit').select('auditResult').where('auditEvent', '=', 'push-refused').execute()
  expect(refused.map(row => row.auditResult).toSorted()).toEqual(
    ['replayed', ...Array<string>(20).fill('replayed'), 'signature'].toSorted(),
  )
  expect((await computer.call(accountRoutes.userAccount, {})).activity.rows.map(({ kind }) => kind)).not.toContain('Other')
  // The server remembers a nonce until it expires.
  server.clock.advance(minutes(2) - 1)
  await server.backgroundJobs.purge()
  expect((await server.db.selectFrom('push_nonces').select('pushNonceHash').execute()).length).toBeGreaterThan(2)
  server.clock.advance(1)
  await server.backgroundJobs.purge()
  expect(await server.db.selectFrom('push_nonces').select('pushNonceHash').execute()).toEqual([])
})

test('PU-06: a proof from an older approver page reads pending requests, once for each nonce, and changes nothing', async () => {
  const { server, phone } = await startWithDevice()
  const { pending, subscribe, leave } = approverRoutes
  const asked = await requestApproval(server.openBrowser())
  const hello = async () => phone.device.hello(phone.factorUUID, await phone.nonce())
  const read = await hello()
  const sent = async (path: string, body: object) => phone.phone.send('POST', path, body)
  expect((await sent(pending.path, read)).json().pending).toMatchObject({ challengeUUID: asked.challengeUUID })
  expect((await sent(pending.path, read)).statusCode).toBe(403)
  expect((await sent(leave.path, await hello())).statusCode).toBe(403)
  for (const subscription of [null, makeSubscription('https://push.example/theirs').subscription])
    expect((await sent(subscribe.path, { ...(await hello()), subscription })).statusCode).toBe(403)
  expect(await phone.answer(asked.challengeUUID, 'Approve', asked.challengeNumber)).toMatchObject(approved)
})
