import { pushRoutes, routes } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { hours, minutes } from '../../src/limits.ts'
import { mailedLink } from '../credentials/mailed-link.ts'
import { codeAt } from '../support/authenticator.ts'
import { ada, admin } from '../support/harness.ts'
import { differentNumber, pushRequest, requestApproval, signInByApproval, status } from './device.ts'
import { denied, factorError, noApproval, startWithDevice } from './enrolled-phone.ts'

test('PU-03, A39: sends 3 of 50 requests to the phone, with equal responses; at most 10 until a second factor passes', async () => {
  const { server, phone, pushes, tryCode, secret } = await startWithDevice()
  const browser = server.openBrowser()
  const shape = (answer: object) =>
    JSON.stringify(answer, (_, value) => (typeof value === 'string' ? value.replace(/[\da-f]/g, '0') : value))
  const shapes = new Set<string>()
  // A ticket saves fifty password checks.
  await browser.call(routes.magiclinkSend, [{ email: ada.username, redirect: { tag: 'RedirectDashboard' } }])
  await browser.call(routes.magiclinkRedeem, mailedLink(await server.deliver(), 'one-time-link'))
  for (let i = 0; i < 50; i++) {
    const response = await browser.send('POST', pushRoutes.pushChallenge.path, pushRequest({ username: '', password: '' }))
    expect([response.statusCode, response.cookies.map(({ name }) => name)]).toEqual([200, expect.arrayContaining(['gatehouse-push'])])
    shapes.add(shape(response.json()))
  }
  expect([shapes.size, await pushes()]).toEqual([1, 3])
  // The phone still shows the last request that was sent. The browser waits for one that was never sent.
  expect((await phone.pending()).pending).not.toBeNull()
  expect(await status(browser)).toEqual(['Pending', 'ReasonNone'])
  server.clock.advance(minutes(2))
  expect(await status(browser)).toEqual(['Expired', 'ReasonNone'])
  // The phone answers every request, so only the limit on their number applies.
  await tryCode(browser, await codeAt(secret, server.clock.at))
  for (let i = 0; i < 12; i++) {
    server.clock.advance(minutes(11))
    const asked = await requestApproval(browser)
    await phone.answer(asked.challengeUUID, 'Approve', asked.challengeNumber)
  }
  expect(await pushes()).toBe(13)
  expect((await tryCode(browser, await codeAt(secret, server.clock.at))).tag).toBe('AuthSuccessful')
  await requestApproval(browser)
  expect(await pushes()).toBe(14)
})

test('PU-05: three wrong codes and two wrong numbers pause codes and approvals, even right ones', async () => {
  const { server, phone, secret, tryCode } = await startWithDevice()
  const browser = server.openBrowser()
  const code = await codeAt(secret, server.clock.at)
  for (let i = 0; i < 3; i++) await tryCode(browser, (code + 1) % 1_000_000)
  for (let i = 0; i < 2; i++) {
    const asked = await requestApproval(browser)
    expect(await phone.answer(asked.challengeUUID, 'Approve', differentNumber(asked.challengeNumber))).toMatchObject(denied)
  }
  expect(await tryCode(browser, code)).toMatchObject(factorError({ contents: { status: 'Denied' } }))
  // The response is the same, but no request reaches the phone.
  await requestApproval(browser)
  expect((await phone.pending()).pending).toBeNull()
  server.clock.advance(minutes(15))
  const asked = await requestApproval(browser)
  await phone.answer(asked.challengeUUID, 'Approve', asked.challengeNumber)
  expect((await signInByApproval(browser)).tag).toBe('AuthSuccessful')
})

test('PU-05: an approval from before the pause does not sign in during it', async () => {
  const { server, phone, secret, tryCode } = await startWithDevice()
  const browser = server.openBrowser()
  const asked = await requestApproval(browser)
  await phone.answer(asked.challengeUUID, 'Approve', asked.challengeNumber)
  const wrong = ((await codeAt(secret, server.clock.at)) + 1) % 1_000_000
  for (let i = 0; i < 5; i++) await tryCode(server.openBrowser(), wrong)
  expect(await signInByApproval(browser)).toEqual(noApproval)
})

test('A39: two denials pause requests and notify the user and administrators once; a code ends the pause', async () => {
  const { server, phone, pushes, tryCode, secret } = await startWithDevice({ GATEHOUSE_ADMINS: admin.username })
  const browser = server.openBrowser()
  const before = (await server.deliver()).length
  for (let i = 0; i < 4; i++) {
    const asked = await requestApproval(browser)
    const answer = await phone.answer(asked.challengeUUID, 'Deny')
    if (i < 2) expect(answer).toMatchObject({ challengeStatus: 'Denied', challengeRespondedReason: { tag: 'NotRequested' } })
    server.clock.advance(minutes(11))
  }
  expect(await pushes()).toBe(2)
  const mails = (await server.deliver()).slice(0, -before)
  expect(mails.map(mail => [mail.to, mail.subject]).sort()).toEqual([
    [ada.username, 'Phone approvals paused · Gatehouse'],
    [admin.username, `Phone approvals paused: ${ada.username} · Gatehouse`],
  ])
  expect((await tryCode(browser, await codeAt(secret, server.clock.at))).tag).toBe('AuthSuccessful')
  await requestApproval(browser)
  expect(await pushes()).toBe(3)
})

test('A39: three unanswered requests pause requests for a day, with one notice', async () => {
  const { server, pushes } = await startWithDevice()
  const browser = server.openBrowser()
  const before = (await server.deliver()).length
  for (let i = 0; i < 5; i++) {
    await requestApproval(browser)
    server.clock.advance(minutes(11))
    await server.backgroundJobs.pauseUnansweredApprovals()
  }
  expect(await pushes()).toBe(3)
  const subjects = (await server.deliver()).slice(0, -before).map(mail => mail.subject)
  expect(subjects.filter(subject => subject.startsWith('Phone approvals paused ·'))).toHaveLength(1)
  server.clock.advance(hours(24))
  await requestApproval(browser)
  expect(await pushes()).toBe(4)
})
