import { plainPages as at, routes } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { mailedLink } from '../credentials/mailed-link.ts'
import { differentNumber, enrollDevice } from '../factors/device.ts'
import { codeAt, enroll } from '../support/authenticator.ts'
import { ada, type Browser, isSignedIn, startServer } from '../support/harness.ts'

const skippable = { env: { GATEHOUSE_SECOND_FACTOR: 'skippable' } }

/** Follows redirects to the end. @returns the addresses on the way */
const follow = async (browser: Browser, answer: Awaited<ReturnType<Browser['submit']>>) => {
  const way: string[] = []
  let last = answer
  while (last.statusCode === 303) {
    way.push(String(last.headers.location))
    last = await browser.get(String(last.headers.location), { accept: 'text/html' })
  }
  return { way, last, body: last.body }
}

/** The sign-in page's markup, without the texts that its script may show later. */
const markup = (body: string) => body.slice(0, body.indexOf('<script'))

const secretIn = (body: string) => (/<code[^>]*>([A-Z2-7 ]+)<\/code>/.exec(body)?.[1] ?? '').replaceAll(' ', '')
const wrong = { ...ada, password: 'not the password at all' }

test('PW-10, MF-07: completes a sign-in by forms: password, set-up by QR code, code; no answer contains the password', async () => {
  const server = await startServer(skippable)
  await server.addUser()
  const browser = server.openBrowser()
  const [start, failed] = [await browser.get('/'), await follow(browser, await browser.submit(at.login, wrong))]
  expect(start.body).toContain('name="password"')
  expect([failed.way, markup(failed.body)]).toEqual([['/'], expect.stringContaining('You have failed to login.')])
  expect(failed.body).toContain(`value="${ada.username}"`)
  // Screen readers announce the title of a new page first, but not an alert that is present on load.
  expect(failed.body).toContain('<title>Error: Sign in · Gatehouse</title>')
  // A reload submits nothing and shows no message twice.
  const reloaded = markup((await browser.get('/')).body)
  expect(reloaded).toContain('name="password"')
  expect(reloaded).not.toContain('You have failed to login.')

  const setUp = await follow(browser, await browser.submit(at.login, ada))
  expect([setUp.way, setUp.body]).toEqual([[at.secondFactor], expect.stringContaining('Scan the QR code')])
  const secret = secretIn(setUp.body)
  // The same browser can load this page again.
  expect(secretIn((await browser.get(at.secondFactor)).body)).toBe(secret)
  expect((await server.openBrowser().get(at.secondFactor)).body).toContain('This sign-in expired')
  const first = await browser.get(at.firstCode)
  expect(first.body).toContain('name="otp"')
  const none = await follow(browser, await browser.submit(at.firstCode, { otp: 'abc' }))
  expect(none.body).toMatch(/<title>Error: .*Enter the six-digit code\./s)
  const entered = await follow(
    browser,
    await browser.submit(at.firstCode, { otp: String(await codeAt(secret, server.clock.at)).padStart(6, '0') }),
  )
  expect(entered.way).toEqual([expect.stringMatching(/^\/auth\/page\/plow\//), '/recovery-codes'])
  expect(await isSignedIn(browser)).toBe(true)
  // Using the code also uses up the ticket.
  browser.jar.delete('gatehouse-session')
  expect((await browser.get(at.secondFactor)).body).toContain('This sign-in expired')
  for (const { body, headers } of [start, failed.last, setUp.last, first, none.last, entered.last])
    expect(body + JSON.stringify(headers)).not.toMatch(/correct horse|not the password/)
  expect(server.logged.join()).not.toMatch(/correct horse|not the password/)
})

/** Every page with a form, and a complete submission of it. */
const forms: [string, Record<string, string>][] = [
  [at.login, ada],
  [at.forgotPassword, { username: ada.username }],
  [at.secondFactor, { otp: '123456' }],
  [at.firstCode, { otp: '123456' }],
  [at.approveOnPhone, { phone: 'ask' }],
  [at.recoveryCode, { 'recovery-code': 'abcd' }],
  [at.resetFactor, { password: ada.password }],
  [at.codeAfterReset, { otp: '123456', password: ada.password }],
  ['/account', { 'sign-out': 'yes' }],
  ['/recovery-codes', { show: 'yes' }],
  ...['/one-time-link', '/new-password', '/new-factor', '/confirm-email'].map((path): [string, Record<string, string>] => [
    path,
    { link: 'some.link' },
  ]),
]

test('CS-01, CS-02, IN-01: accepts a form only from Gatehouse’s own pages, of one type, complete and of limited size', async () => {
  const server = await startServer()
  await server.addUser()
  const browser = server.openBrowser()
  const wrong: unknown[] = []
  for (const [path, fields] of forms) {
    const form = new URLSearchParams(fields).toString()
    const post = async (headers: Record<string, string>, payload: string | Buffer = form) =>
      (
        await server.app.inject({
          method: 'POST',
          url: path,
          payload,
          headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
        })
      ).statusCode
    const own = { origin: server.config.publicUrl.origin }
    const answers = [
      await post({ origin: 'https://evil.example' }),
      await post({ origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }),
      await post({ origin: 'null' }),
      await post({ origin: 'null', 'sec-fetch-site': 'same-origin' }),
      await post({ ...own, 'content-type': 'application/json' }, JSON.stringify(fields)),
      await post({ ...own, 'content-type': 'text/plain' }),
      await post({ ...own, 'content-type': 'multipart/form-data; boundary=x' }),
      await post({ ...own, 'content-type': 'application/x-www-form-urlencoded; charset=utf-7' }),
      await post(own, `${form}&x=${'x'.repeat(16 * 1024)}`),
      await post(own, `${form}&${form}`),
      await post(own, `${form}&more=%ff`),
      await post(own, `${form}&more`),
    ]
    if (String(answers) !== '403,403,403,403,415,415,415,415,413,400,400,400') wrong.push([path, ...answers])
  }
  expect(wrong).toEqual([])
  expect(browser.jar.size).toBe(0)
  for (const table of ['failed_logins', 'outbox', 'tickets', 'audit'] as const)
    expect([table, await server.db.selectFrom(table).selectAll().execute()]).toEqual([table, []])
})

test('TH-01, TH-07, TH-09: forms and calls share one count and one limit', async () => {
  const server = await startServer()
  await server.addUser()
  const [browser, differentNumber] = [server.openBrowser(), server.openBrowser()]
  for (let i = 0; i < 5; i++) {
    await browser.submit(at.login, wrong)
    await differentNumber.signIn(wrong)
  }
  // A locked-out user with the right password gets the same answer as an unknown user.
  const [locked, visitor] = [
    await browser.submit(at.login, ada),
    await browser.submit(at.login, { ...wrong, username: 'nobody@example.com' }),
  ]
  expect([locked.headers.location, visitor.headers.location]).toEqual(['/', '/'])
  expect((await follow(browser, locked)).body).toContain('You have failed to login.')
  expect(await differentNumber.signIn()).toEqual({ tag: 'AuthFailureFailedLogin' })
  server.clock.advance(31_000)
  expect((await follow(browser, await browser.submit(at.login, ada))).way[0]).toMatch(/^\/auth\/page\/plow\//)

  const one = server.openBrowser({ address: '203.0.113.7' })
  for (let i = 0; i < 15; i++) {
    await one.submit(at.login, { ...wrong, username: 'x' })
    await one.submit(at.forgotPassword, { username: 'x' })
    await one.send('POST', routes.getAuthTokenWithError.path, { username: 'x', password: 'x', useragent: '' })
  }
  const refused = await one.submit(at.login, ada)
  expect([refused.statusCode, refused.headers['retry-after'], refused.body]).toEqual([
    429,
    expect.stringMatching(/^\d+$/),
    expect.stringContaining('Too many attempts'),
  ])
  for (let i = 0; i < 5; i++) await one.submit(at.forgotPassword, { username: 'x' })
  expect((await one.submit(at.forgotPassword, { username: 'x' })).statusCode).toBe(429)
})

test('MF-07, TH-08, TH-15: a ticket allows only what a right password does; five wrong codes end it and notify the owner', async () => {
  const server = await startServer(skippable)
  await server.addUser()
  const { secret } = await enroll(server.openBrowser(), server.clock)
  server.clock.advance(60_000)
  const browser = server.openBrowser()
  const asked = await follow(browser, await browser.submit(at.login, ada))
  expect(asked.body).toContain('name="otp"')
  // Set-up is closed; the next step is the code.
  expect((await browser.submit(at.firstCode, { otp: '123456' })).headers.location).toBe(at.secondFactor)
  expect((await follow(browser, await browser.submit(at.recoveryCode, { 'recovery-code': '' }))).body).toContain('Enter a recovery code.')
  expect((await follow(browser, await browser.submit(at.recoveryCode, { 'recovery-code': 'abcd' }))).body).toContain('Invalid code')
  // A reset requires the password, even with a ticket.
  for (const password of ['', wrong.password])
    expect((await follow(browser, await browser.submit(at.resetFactor, { password }))).body).toContain('You have failed to login.')
  expect(await server.db.selectFrom('mail_links').selectAll().execute()).toEqual([])
  const bad = String(((await codeAt(secret, server.clock.at)) + 1) % 1_000_000).padStart(6, '0')
  for (let i = 0; i < 3; i++)
    expect((await follow(browser, await browser.submit(at.secondFactor, { otp: bad }))).body).toContain('Invalid code')
  expect((await follow(browser, await browser.submit(at.secondFactor, { otp: bad }))).body).toContain('Too many wrong codes')
  expect((await browser.get(at.secondFactor)).body).toContain('This sign-in expired')
  // The next sign-in shows no message about it.
  expect((await follow(browser, await browser.submit(at.login, ada))).body).not.toContain('role="alert"><div')
  expect((await server.deliver()).map(({ subject }) => subject)).toContainEqual(expect.stringMatching(/Sign-in stopped: wrong codes/))
})

test('TP-07: a sign-in’s page shows only the secret of its own factor', async () => {
  const server = await startServer(skippable)
  await server.addUser()
  const [reader, owner] = [server.openBrowser(), server.openBrowser()]
  await reader.submit(at.forgotPassword, { username: ada.username, 'one-time-link': 'yes' })
  const { selector, token } = mailedLink(await server.deliver(), 'one-time-link')
  await reader.submit('/one-time-link', { link: `http://localhost:8080/one-time-link#${selector}.${token}` })
  const setUp = await follow(reader, await reader.submit('/one-time-link', {}))
  expect(setUp.body).toContain('Scan the QR code')
  // An attacker who reads the owner's mail holds a ticket; then the owner signs in and sees a secret.
  const hers = secretIn((await follow(owner, await owner.submit(at.login, ada))).body)
  expect(hers).toMatch(/^[A-Z2-7]{32}$/)
  const seen = await reader.get(at.secondFactor)
  expect(seen.body).toContain('This sign-in expired')
  expect(seen.body).not.toContain(hers.slice(0, 4))
})

test('EM-02, EM-04, EM-06: viewing a pasted link uses nothing up, its button works once, and no address or log contains the token', async () => {
  const server = await startServer(skippable)
  await server.addUser()
  const browser = server.openBrowser()
  const sent = await follow(browser, await browser.submit(at.forgotPassword, { username: ` ${ada.username.toUpperCase()} ` }))
  expect([sent.way, sent.body]).toEqual([
    [at.forgotPassword],
    expect.stringContaining('A password reset link has been sent to your email.'),
  ])
  expect(sent.body).not.toContain('Error: ')
  expect((await follow(browser, await browser.submit(at.forgotPassword, { username: 'ada' }))).body).toContain(
    'Enter an email address like',
  )
  const reset = mailedLink(await server.deliver(), 'new-password')

  for (const [typed, said] of [
    ['nonsense', 'This link doesn’t work'],
    [`#${reset.selector}.x`, 'This link doesn’t work'],
  ] as const)
    expect((await follow(browser, await browser.submit('/new-password', { link: typed }))).body).toContain(said)
  const link = `http://localhost:8080/new-password#${reset.selector}.${reset.token}`
  const opened = await follow(browser, await browser.submit('/new-password', { link: ` ${link} ` }))
  expect([opened.way, opened.body]).toEqual([['/new-password#'], expect.stringContaining(`value="${ada.username}"`)])
  for (const path of ['/one-time-link', '/new-factor']) expect((await browser.get(path)).body).toContain('name="link"')
  const choose = async (newpassword: string, newpasswordverification = newpassword) =>
    follow(browser, await browser.submit('/new-password', { newpassword, newpasswordverification }))
  const short = await choose('short')
  expect(short.body).toContain('The password needs at least 15 characters. This one has 5.')
  expect(short.body).toMatch(/<title>Error: .*<input(?=[^>]*name="newpassword")[^>]*autofocus/is)
  const unlike = await choose('a long new password', 'another')
  expect(unlike.body).toContain('The passwords don’t match.')
  expect(unlike.body).toMatch(/<input(?=[^>]*name="newpasswordverification")[^>]*autofocus/i)
  expect((await choose('x'.repeat(1025))).body).toContain('at most 1024 bytes')
  expect((await choose('passwordpassword')).body).toContain(
    'The password is too common. Use four or more unrelated words, or let a password manager create one.',
  )
  const done = await choose('a long new password')
  expect([done.way, done.body]).toEqual([['/new-password'], expect.stringContaining('Password changed')])
  // The used link is refused when pasted again. Another browser shows only the empty form.
  expect((await follow(browser, await browser.submit('/new-password', { link }))).body).toContain('This link has already been used')
  expect((await server.openBrowser().get('/new-password')).body).toContain('name="link"')
  const everything = server.logged.join() + [opened, done].map(({ body, last }) => body + JSON.stringify(last.headers)).join()
  for (const secret of [reset.token, 'a long new password']) expect(everything).not.toContain(secret)

  // A one-time link, then a complete factor reset with the new password.
  const changed = { ...ada, password: 'a long new password' }
  const { secret } = await enroll(server.openBrowser(), server.clock, changed)
  server.clock.advance(60_000)
  await browser.submit(at.forgotPassword, { username: ada.username, 'one-time-link': 'yes' })
  const oneTime = mailedLink(await server.deliver(), 'one-time-link')
  await browser.submit('/one-time-link', { link: `${oneTime.selector}.${oneTime.token}` })
  expect((await browser.get('/one-time-link')).body).toContain('Sign in as a•••@example.com')
  const code = await follow(browser, await browser.submit('/one-time-link', {}))
  expect([code.way, code.body]).toEqual([[at.secondFactor], expect.stringContaining('name="otp"')])
  expect(code.body).toContain('Reset two factor authentication')
  expect((await browser.get(at.resetFactor)).body).toContain('name="password"')
  await follow(browser, await browser.submit(at.secondFactor, { otp: String(await codeAt(secret, server.clock.at)).padStart(6, '0') }))
  expect(await isSignedIn(browser)).toBe(true)

  const lost = server.openBrowser()
  const asked = await follow(lost, await lost.submit(at.login, changed))
  expect(asked.body).toContain('Reset two factor authentication')
  const after = await follow(lost, await lost.submit(at.resetFactor, { password: changed.password }))
  expect([after.way, after.body]).toEqual([[at.codeAfterReset], expect.stringContaining('name="password"')])
  const factor = mailedLink(await server.deliver(), 'new-factor')
  await lost.submit('/new-factor', { link: `${factor.selector}.${factor.token}` })
  const shown = await lost.submit('/new-factor', {})
  expect([shown.statusCode, shown.body]).toEqual([200, expect.stringContaining('QR code')])
  const next = { otp: String(await codeAt(secretIn(shown.body), server.clock.at)).padStart(6, '0') }
  server.clock.advance(6 * 60_000)
  const later = { otp: String(await codeAt(secretIn(shown.body), server.clock.at)).padStart(6, '0') }
  // The ticket has expired by now. Even a valid ticket would not replace the password.
  expect((await follow(lost, await lost.submit(at.codeAfterReset, { ...next, password: '' }))).body).toContain('You have failed to login.')
  await follow(lost, await lost.submit(at.codeAfterReset, { ...later, password: changed.password }))
  expect(await isSignedIn(lost)).toBe(true)
})

test('PU-01, PU-02: a phone approves the sign-in of a browser without JavaScript, in that browser only', async () => {
  const server = await startServer()
  await server.addUser()
  const computer = server.openBrowser()
  await computer.enter()
  const device = await enrollDevice(computer, server.openBrowser(), server.config.publicUrl.origin)
  expect(await device.verify()).toEqual({ tag: 'Verified' })

  const [browser, visitor] = [server.openBrowser(), server.openBrowser()]
  const press = async (phone: string, by = browser) => follow(by, await by.submit(at.approveOnPhone, { phone }))
  const numberIn = (body: string) => (/>(\d{3} \d{3})</.exec(body)?.[1] ?? '').replace(' ', '')
  const waiting = async () => (await device.pending()).pending?.challengeUUID ?? ''
  const start = await follow(browser, await browser.submit(at.login, ada))
  expect(start.way).toEqual([at.secondFactor, at.approveOnPhone])
  // Viewing the page requests no approval.
  expect([numberIn(start.body), await waiting()]).toEqual(['', ''])

  const first = await press('ask')
  expect(first.way).toEqual([at.approveOnPhone])
  expect((await press('approved')).body).toContain('Your phone hasn’t approved this sign-in yet.')
  await device.answer(await waiting(), 'Approve', differentNumber(numberIn(first.body)))
  expect((await browser.get(at.approveOnPhone)).body).toMatch(/<title>Error: .*That number didn’t match\./s)

  const second = await press('ask')
  // The same browser can load this page again.
  expect(numberIn((await browser.get(at.approveOnPhone)).body)).toBe(numberIn(second.body))
  await device.answer(await waiting(), 'Approve', numberIn(second.body))
  await visitor.submit(at.login, ada)
  expect((await press('approved', visitor)).way).toEqual([at.approveOnPhone])
  const done = await press('approved')
  expect(done.way).toEqual([expect.stringMatching(/^\/auth\/page\/plow\//), '/recovery-codes'])
  expect([await isSignedIn(browser), await isSignedIn(visitor)]).toEqual([true, false])
  for (const { body } of [start, first, second, done]) expect(body).not.toContain(ada.password)
})
