import { approverRoutes } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { minutes, seconds } from '../../src/limits.ts'
import { enroll } from '../support/authenticator.ts'
import { admin } from '../support/harness.ts'
import { differentNumber, enrollDevice, makeDevice, requestApproval, signInByApproval, status } from './device.ts'
import { denied, noApproval, startWithDevice } from './enrolled-phone.ts'

test('PU-01, A39: denies and counts an approval without the right number; the phone never receives the number', async () => {
  const { server, phone, attempts } = await startWithDevice()
  const browser = server.openBrowser()
  for (const [n, number] of [undefined, 'other'].entries()) {
    server.clock.advance(minutes(10))
    const asked = await requestApproval(browser)
    expect(asked.challengeNumber).toMatch(/^\d{6}$/)
    expect(JSON.stringify(await phone.pending())).not.toContain(asked.challengeNumber)
    const typed = number && differentNumber(asked.challengeNumber)
    expect(await phone.answer(asked.challengeUUID, 'Approve', typed)).toMatchObject(denied)
    expect([await status(browser), await attempts()]).toEqual([['Denied', 'InvalidCode'], n + 1])
    // The decision is final, so the right number comes too late.
    expect(await phone.answer(asked.challengeUUID, 'Approve', asked.challengeNumber)).toMatchObject(denied)
    expect(await signInByApproval(browser)).toEqual(noApproval)
  }
  const stored = JSON.stringify(await server.db.selectFrom('audit').selectAll().execute())
  expect(stored).toContain('wrong-number')
})

test('PU-02: a challenge lasts two minutes, works once, and only for the browser that opened it', async () => {
  const { server, phone } = await startWithDevice()
  const [a, b] = [server.openBrowser(), server.openBrowser()]
  const late = await requestApproval(a)
  server.clock.advance(seconds(121))
  expect((await phone.pending()).pending).toBeNull()
  expect(await phone.answer(late.challengeUUID, 'Approve', late.challengeNumber)).toMatchObject({ challengeStatus: 'Expired' })
  expect([await status(a), await signInByApproval(a)]).toEqual([['Expired', 'ReasonNone'], noApproval])

  const asked = await requestApproval(a)
  await b.signIn()
  expect(await phone.answer(asked.challengeUUID, 'Approve', asked.challengeNumber)).toMatchObject({
    challengeStatus: 'Denied',
    challengeRespondedReason: { tag: 'NotNeeded' },
  })
  // The challenge of a second browser replaces that of the first.
  const good = await requestApproval(a)
  await phone.answer(good.challengeUUID, 'Approve', good.challengeNumber)
  expect((await signInByApproval(a)).tag).toBe('AuthSuccessful')
  const [first, second] = [await requestApproval(a), await requestApproval(b)]
  expect([await status(a), await status(b)]).toEqual([
    ['Denied', 'NotNeeded'],
    ['Pending', 'ReasonNone'],
  ])
  const answers = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const { userId, factorUUID, device } = phone
      return phone.send(await device.answer({ userId, factorUUID, challengeUUID: second.challengeUUID }, 'Approve', second.challengeNumber))
    }),
  )
  expect(answers.filter(answer => answer.statusCode === 200)).toHaveLength(1)
  expect(answers.filter(answer => answer.statusCode === 409)).toHaveLength(19)
  expect(await phone.answer(first.challengeUUID, 'Approve', first.challengeNumber)).toMatchObject({ challengeStatus: 'Denied' })
  expect(await signInByApproval(a)).toEqual(noApproval)
  const outcomes = await Promise.all(Array.from({ length: 10 }, () => signInByApproval(b)))
  expect(outcomes.filter(({ tag }) => tag === 'AuthSuccessful')).toHaveLength(1)
})

test('PU-02: an unused approval expires half a minute after its challenge', async () => {
  const { server, phone } = await startWithDevice()
  const browser = server.openBrowser()
  const asked = await requestApproval(browser)
  await phone.answer(asked.challengeUUID, 'Approve', asked.challengeNumber)
  server.clock.advance(seconds(150))
  expect(await signInByApproval(browser)).toEqual(noApproval)
  await server.backgroundJobs.purge()
  expect(await server.db.selectFrom('push_waits').selectAll().execute()).toEqual([])
})

test('PU-04: accepts only a signature of the challenge by the stored key, in the stored algorithm', async () => {
  const { server, phone, attempts } = await startWithDevice()
  const browser = server.openBrowser()
  const { challengeUUID, challengeNumber } = await requestApproval(browser)
  const { device, factorUUID, userId } = phone
  const origin = server.config.publicUrl.origin
  const right = await device.answer({ factorUUID, userId, challengeUUID }, 'Approve', challengeNumber)
  const stranger = await makeDevice(origin)
  const signed = async (...lines: string[]) => ({ ...right, signature: await device.sign(...lines) })
  const head = 'gatehouse-push-answer'
  const wrong = [
    { ...right, signature: '' },
    { ...right, signature: right.signature.slice(0, -2) },
    // Zeros for r and s (CVE-2022-21449).
    { ...right, signature: Buffer.alloc(64).toString('base64url') },
    await stranger.answer({ factorUUID, userId, challengeUUID }, 'Approve', challengeNumber),
    await signed(head, challengeUUID, differentNumber(challengeNumber), userId, origin, 'Approve'),
    await signed(head, challengeUUID, challengeNumber, 'another-user', origin, 'Approve'),
    await signed(head, challengeUUID, challengeNumber, userId, 'https://evil.example', 'Approve'),
    await signed(head, challengeUUID, challengeNumber, userId, origin, 'Deny'),
    await signed(head, factorUUID, challengeNumber, userId, origin, 'Approve'),
    await signed('gatehouse-push-hello', challengeUUID, factorUUID, origin),
  ]
  for (const answer of wrong) expect((await phone.send(answer)).statusCode).toBe(403)
  for (const alg of ['HS256', 'none', 'ES384']) expect((await phone.send({ ...right, alg } as never)).statusCode).toBe(400)
  expect([await status(browser), await attempts()]).toEqual([['Pending', 'ReasonNone'], 0])
  const refused = await server.db.selectFrom('audit').select('auditResult').where('auditEvent', '=', 'push-refused').execute()
  expect(refused).toHaveLength(wrong.length)

  // Another user's phone cannot sign for Ada.
  await server.addUser(admin)
  const theirs = server.openBrowser()
  await enroll(theirs, server.clock, admin)
  const mallory = await enrollDevice(theirs, server.openBrowser(), origin, { user: admin })
  await mallory.verify()
  expect(await mallory.answer(challengeUUID, 'Approve', challengeNumber)).toEqual({ error: expect.stringContaining('is unknown') })

  // A nonce must come from the server, and lasts two minutes.
  const proof = await phone.prove(approverRoutes.pending.path)
  const pending = (body: object) => phone.phone.send('POST', approverRoutes.pending.path, body)
  for (const nonce of ['', 'made-up', `${proof.nonce}x`])
    expect((await pending(await device.prove(factorUUID, nonce, approverRoutes.pending.path))).statusCode).toBe(403)
  expect((await pending({ ...proof, factorUUID: mallory.factorUUID })).statusCode).toBe(403)
  const late = await phone.prove(approverRoutes.pending.path)
  server.clock.advance(minutes(1))
  expect((await pending(proof)).statusCode).toBe(200)
  server.clock.advance(minutes(1))
  expect((await pending(late)).statusCode).toBe(403)
})
