import { accountRoutes, routes } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { days, hours, minutes, seconds } from '../../src/limits.ts'
import { mailedLink } from '../credentials/mailed-link.ts'
import { enroll } from '../support/authenticator.ts'
import { ada, type Browser, startServer } from '../support/harness.ts'
import { startClock, statuses, tooMany } from './rate-counts.ts'

const oneTimeLink = (email: string) => ({ email, redirect: { tag: 'RedirectDashboard' } })
const requests: [string, (browser: Browser, email: string) => ReturnType<Browser['send']>, string, '{}' | '{"tag":"Ok"}'][] = [
  [
    'sendPasswordResetEmail',
    (browser, useremail) => browser.send('POST', routes.sendPasswordResetEmail.path, { useremail }),
    'new-password',
    '{}',
  ],
  [
    'magiclink/send',
    (browser, email) => browser.send('POST', routes.magiclinkSend.path, [oneTimeLink(email)]),
    'one-time-link',
    '{"tag":"Ok"}',
  ],
]

test.each(requests)(
  'TH-11, EM-15: %s mails an account at most three times in 15 minutes and ten times in a day for one network; every response is the same',
  async (_, request, page, body) => {
    const server = await startServer()
    await server.addUser()
    const answers = new Set<string>()
    const ask = async () => {
      const answer = await request(server.openBrowser({ address: '198.51.100.7' }), ' ADA@example.com')
      answers.add(`${answer.statusCode} ${answer.body}`)
      server.clock.advance(seconds(1))
      return (await server.deliver()).length
    }
    const counts: number[] = []
    for (let i = 0; i < 4; i++) counts.push(await ask())
    expect(counts).toEqual([1, 2, 3, 3])
    // A mail stops counting against the limit after 15 minutes.
    for (let quarter = 1; quarter <= 3; quarter++) {
      server.clock.advance(minutes(15))
      for (let i = 0; i < 3; i++) counts.push(await ask())
    }
    expect(counts.slice(4)).toEqual([4, 5, 6, 7, 8, 9, 10, 10, 10])
    server.clock.advance(hours(12))
    expect(await ask()).toBe(10)
    server.clock.advance(days(1))
    expect(await ask()).toBe(11)
    expect([...answers]).toEqual([`200 ${body}`])
    const mails = await server.deliver()
    expect(mails).not.toEqual([])
    expect(mails.every(mail => mail.to === ada.username && mail.text.includes(`/${page}#`))).toBe(true)
    // Requests for mail do not affect the account.
    expect(await server.openBrowser().signIn()).toMatchObject({ tag: 'AuthSuccessful' })
  },
)

test('TH-11: each account and each kind of mail has its own limit', async () => {
  const server = await startServer()
  await server.addUser()
  await server.addUser({ username: 'grace@example.com', password: 'a compiler of her own' })
  for (const email of [ada.username, 'grace@example.com'])
    for (const [, request] of requests) for (let i = 0; i < 4; i++) await request(server.openBrowser({ address: '198.51.100.7' }), email)
  expect((await server.deliver()).length).toBe(12)
})

test('TH-11: returns 429 to the 21st request for mail from an address within an hour', async () => {
  const machine = startClock()
  const server = await startServer()
  const browser = server.openBrowser({ address: '2001:db8::7' })
  const reset = () => browser.send('POST', routes.sendPasswordResetEmail.path, { useremail: ada.username })
  expect(await statuses(20, i => (i % 2 ? reset() : browser.send('POST', routes.magiclinkSend.path, [oneTimeLink(ada.username)])))).toEqual(
    {
      200: 20,
    },
  )
  const refused = await reset()
  expect([refused.statusCode, refused.headers['retry-after'], refused.json()]).toEqual([429, '3600', tooMany])
  expect((await server.db.selectFrom('outbox').selectAll().execute()).length).toBe(20)
  machine.advance(hours(1))
  expect((await reset()).statusCode).toBe(200)
})

test('TH-11: counts the replacement of recovery codes as a request for mail, because it sends a notice', async () => {
  const server = await startServer({ env: { GATEHOUSE_SECOND_FACTOR: 'skippable' } })
  await server.addUser()
  const browser = server.openBrowser({ address: '198.51.100.7' })
  await enroll(browser, server.clock)
  const replaceCodes = () => browser.send('POST', accountRoutes.userRecoveryCodesAnew.path, {})
  expect(await statuses(21, replaceCodes)).toEqual({ 200: 20, 429: 1 })
})

test('EM-13: accepts and counts up to five requests in a list, without revealing which accounts exist', async () => {
  const server = await startServer()
  await server.addUser()
  const browser = server.openBrowser({ address: '198.51.100.7' })
  const send = (emails: string[]) => browser.send('POST', routes.magiclinkSend.path, emails.map(oneTimeLink))
  const six = await send(Array<string>(6).fill(ada.username))
  expect([six.statusCode, six.json().error]).toEqual([400, expect.stringContaining('expected 1 to 5 requests')])
  expect((await send([])).statusCode).toBe(400)
  const nobody = ['a@example.com', 'b@example.com', 'c@example.com', 'd@example.com', 'e@example.com']
  const alike = ({ statusCode, body, headers: { 'x-request-id': _, date: __, ...rest } }: Awaited<ReturnType<typeof send>>) => ({
    statusCode,
    body,
    rest,
  })
  const answer = alike(await send(nobody))
  expect(answer).toMatchObject({ statusCode: 200, body: '{"tag":"Ok"}' })
  expect(alike(await send([ada.username, ...nobody.slice(1)]))).toEqual(answer)
  // If one address is invalid, the server refuses the whole list and sends no mail.
  const wrongOne = await send([ada.username, 'nothing'])
  expect([wrongOne.statusCode, wrongOne.json()]).toEqual([400, { error: '/1/email: expected an email address' }])
  expect((await server.deliver()).map(mail => mail.to)).toEqual([ada.username])
  // The lists so far count as 5 + 5 + 2 requests.
  expect((await send(nobody)).statusCode).toBe(200)
  expect((await send(nobody)).statusCode).toBe(429)
})

test('TH-12: responds to a request for mail with equal body and headers for known, unknown, passwordless, locked and disabled accounts', async () => {
  const server = await startServer()
  const [none, locked, disabled] = ['sso@example.com', 'locked@example.com', 'disabled@example.com']
  await server.addUser()
  for (const username of [none, locked, disabled]) await server.addUser({ username, password: ada.password })
  await server.db.updateTable('users').set({ userPassword: null, userGoogleId: 'x/y' }).where('userIdent', '=', none).execute()
  for (const [username, attempts] of [
    [locked, 10],
    [disabled, 100],
  ] as const) {
    for (let i = 0; i < 10; i++) await server.openBrowser().signIn({ username, password: 'wrong' })
    await server.db
      .updateTable('failed_logins')
      .set({ failedLoginAttempts: attempts })
      .where('failedLoginUserIdent', '=', username)
      .execute()
  }
  for (const [, request, page] of requests) {
    const answer = async (email: string) => {
      const { statusCode, headers, rawPayload } = await request(server.openBrowser(), email)
      const { 'x-request-id': _, date: __, ...alike } = headers
      return { statusCode, alike, bytes: rawPayload.toString('hex') }
    }
    const unknown = await answer('nobody@example.com')
    expect(unknown.statusCode).toBe(200)
    for (const email of [ada.username, none, locked, disabled]) expect(await answer(email)).toEqual(unknown)
    // Only users who can use the mail receive it.
    const mails = await server.deliver()
    for (const to of [ada.username, locked, disabled]) expect(mailedLink(mails, page as 'new-password', to).token).toHaveLength(43)
    expect(() => mailedLink(mails, page as 'new-password', none)).toThrow()
    expect(mails.filter(mail => mail.to === none).every(mail => mail.text.includes('ssoLogin?provider=google'))).toBe(true)
  }
})
