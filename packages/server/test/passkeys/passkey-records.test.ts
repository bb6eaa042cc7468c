import { accountRoutes, administrationRoutes, passkeyRoutes, routes } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { ada, admin } from '../support/harness.ts'
import { optionsFor, startWithPasskey, usePasskey } from '../support/passkey-users.ts'

const otp = { otpUsername: ada.username, otpPassword: ada.password }

test('counts sign-ins by passkey in the metrics and on the sign-in board, and audits each step', async () => {
  const { server, device } = await startWithPasskey()
  const browser = server.openBrowser()
  await usePasskey(browser, device)
  await usePasskey(browser, device, { signature: () => Buffer.alloc(70) })
  await browser.call(passkeyRoutes.passkeyVerify, { ...otp, credential: device.get(await optionsFor(browser, 'SecondFactor')) })
  const rows = await server.db.selectFrom('audit').select(['auditEvent', 'auditResult']).orderBy('auditAt').execute()
  const of = (event: string) => rows.filter(row => row.auditEvent === event).map(row => row.auditResult)
  expect(of('passkey-sign-in').toSorted()).toEqual(['signature', 'successful: Passkey'])
  expect(of('passkey-second-factor')).toEqual(['successful: Passkey'])
  expect(of('factor-added')).toEqual(['successful'])
  const metrics = await server.app.inject({ url: '/metrics', remoteAddress: '127.0.0.1', headers: { host: 'localhost:8080' } })
  const counters = metrics.body.split('\n').filter(line => line.includes('_total{call="passkey'))
  expect(counters.map(line => line.replace('gatehouse_sign_ins_total', '')).toSorted()).toEqual([
    '{call="passkeySignIn",outcome="AuthFailureFailedLogin"} 1',
    '{call="passkeySignIn",outcome="AuthSuccessful"} 1',
    '{call="passkeyVerify",outcome="AuthSuccessful"} 1',
  ])

  await server.addUser(admin)
  const administrator = server.openBrowser()
  await administrator.enter(admin)
  const { slots, series } = await administrator.call(administrationRoutes.board, { range: 'Day' })
  const byPasskey = series.filter(({ way }) => way.startsWith('Passkey'))
  expect(byPasskey.map(({ way, outcome, counts }) => [way, outcome, counts.at(-1)]).toSorted()).toEqual([
    ['Passkey', 'Refused', 1],
    ['Passkey', 'SignedIn', 1],
    ['PasskeyFactor', 'SignedIn', 1],
  ])
  const span = { from: slots[0] ?? '', until: new Date(server.clock.at + 1).toISOString() }
  const listed = await administrator.call(administrationRoutes.attempts, {
    ...span,
    ways: ['Passkey', 'PasskeyFactor'],
    outcomes: ['SignedIn'],
  })
  expect(listed.attempts.map(({ way, user }) => [way, user?.userIdent]).toSorted()).toEqual([
    ['Passkey', ada.username],
    ['PasskeyFactor', ada.username],
  ])
})

test('lists a sign-in by passkey once in the recent activity, and every refused passkey', async () => {
  const { server, device } = await startWithPasskey()
  const browser = server.openBrowser()
  server.clock.advance(1)
  await usePasskey(browser, device, { signature: () => Buffer.alloc(70) })
  server.clock.advance(1)
  const alone = await usePasskey(browser, device)
  if (alone.tag !== 'AuthSuccessful') throw new Error(alone.tag)
  server.clock.advance(1)
  await browser.call(routes.plowlogin, alone.contents)
  server.clock.advance(1)
  const credential = device.get(await optionsFor(browser, 'SecondFactor'))
  const second = await browser.call(passkeyRoutes.passkeyVerify, { ...otp, credential })
  if (second.tag !== 'AuthSuccessful') throw new Error(second.tag)
  server.clock.advance(1)
  await browser.call(routes.plowlogin, second.contents)
  const { rows } = (await browser.call(accountRoutes.userAccount, {})).activity
  expect(rows.slice(0, 3).map(({ kind }) => kind)).toEqual(['SignedIn', 'SignedIn', 'PasskeyRefused'])
})
