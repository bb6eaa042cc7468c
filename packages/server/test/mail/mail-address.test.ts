import { routes } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { mailedLink } from '../credentials/mailed-link.ts'
import { ada, admin, startServer } from '../support/harness.ts'

type Server = Awaited<ReturnType<typeof startServer>>

/** A request from this machine. */
const open = (server: Server, url: string) =>
  server.app.inject({ url, remoteAddress: '127.0.0.1', headers: { host: 'localhost:8080', accept: 'text/html' } })
const askFor = (server: Server, useremail: string, headers = {}) =>
  server.openBrowser().send('POST', routes.sendPasswordResetEmail.path, { useremail }, headers)

test.each([
  ['http://localhost:8080', {}],
  ['https://sign-in.example.com/gate', { GATEHOUSE_PUBLIC_URL: 'https://sign-in.example.com/gate' }],
])('EM-05, A15: a mailed link begins with %s, whatever host a request names', async (base, env) => {
  const server = await startServer({
    env: { ...env, GATEHOUSE_ORIGINS: 'https://app.example.com', GATEHOUSE_TRUSTED_PROXIES: '10.0.0.0/8' },
  })
  const path = server.config.publicUrl.path
  const poisons: Record<string, string>[] = [
    { host: 'evil.example' },
    { host: 'evil.example:8080' },
    { host: `${new URL(base).host}.evil.example` },
    { host: `evil.example#@${new URL(base).host}` },
    { 'x-forwarded-host': 'evil.example' },
    { 'x-forwarded-host': 'evil.example, localhost' },
    { 'x-forwarded-proto': 'gopher', 'x-forwarded-port': '666' },
    { 'x-forwarded-server': 'evil.example', 'x-original-host': 'evil.example', 'x-host': 'evil.example' },
    { forwarded: 'for=1.2.3.4;host=evil.example;proto=https' },
    { 'x-original-url': 'https://evil.example/', 'x-rewrite-url': 'https://evil.example/' },
    { referer: 'https://evil.example/' },
    { origin: 'https://app.example.com', 'sec-fetch-site': 'same-site' },
  ]
  for (const [i, headers] of poisons.entries()) {
    const username = `user${i}@example.com`
    await server.addUser({ username, password: ada.password })
    const browser = server.openBrowser()
    for (const [route, body] of [
      [routes.sendPasswordResetEmail, { useremail: username }],
      [routes.magiclinkSend, [{ email: username, redirect: { tag: 'RedirectDashboard' } }]],
    ] as const) {
      const response = await browser.send('POST', path + route.path, body, headers)
      expect([headers, response.statusCode]).toEqual([headers, 200])
    }
  }
  // The server refuses an unlisted origin before it queues mail.
  expect(
    (
      await server
        .openBrowser()
        .send('POST', path + routes.sendPasswordResetEmail.path, { useremail: 'user0@example.com' }, { origin: 'https://evil.example' })
    ).statusCode,
  ).toBe(403)
  const mails = await server.deliver()
  expect(mails).toHaveLength(2 * poisons.length)
  for (const { subject, text, html } of mails) {
    expect(text).toMatch(new RegExp(`^${base}/(new-password|one-time-link)#[\\w-]{22}\\.[\\w-]{43}$`, 'm'))
    for (const [address] of `${text} ${html}`.matchAll(/\b[a-z]+:\/\/[^\s"<>#]+/g)) expect(address.startsWith(base)).toBe(true)
    // Ignore the link's selector and token, which may contain 666 by chance.
    const said = (subject + text + html).replaceAll(/#[\w-]{22}\.[\w-]{43}/g, '')
    expect(said).not.toMatch(/evil|app\.example|666/)
  }
})

/** Spellings that some mail software has delivered to a different address. */
const tricks = (own: string) => {
  const [local = '', domain = ''] = own.split('@')
  const evil = 'evil@evil.example'
  return [
    ...[',', ';', ' ', ', ', '\t', '\n', '\r\n', '\0', '|', ' , '].flatMap(between => [
      `${own}${between}${evil}`,
      `${evil}${between}${own}`,
    ]),
    `${own}\r\nBcc: ${evil}`,
    `${own}\nBcc: ${evil}`,
    `${own}%0d%0aBcc:${evil}`,
    `${own}\u2028Bcc: ${evil}`,
    `${own}\u0085Bcc: ${evil}`,
    `"${own}" <${evil}>`,
    `${own} <${evil}>`,
    `<${own}>`,
    `<${own}> ${evil}`,
    `Ada <${own}>`,
    `"${evil}"@${domain}`,
    `"${local}"@${domain}`,
    `"${local} ${evil}"@${domain}`,
    `"a\\"b"@${domain}`,
    `${local}@${domain}@evil.example`,
    `${evil}@${domain}`,
    `${local}@evil.example@${domain}`,
    `${local}\uff20${domain}`,
    `${local}\ufe6b${domain}`,
    `${own}\uff0c${evil}`,
    `${local}@${domain}\uff20evil.example`,
    `${local}(comment)@${domain}`,
    `${local}@(evil.example)${domain}`,
    `${local}@${domain}(evil.example)`,
    `@evil.example:${own}`,
    `${local}%evil.example@${domain}`,
    `evil.example!${own}`.replace('!', ':'),
    `mailto:${own}`,
    `${own}?cc=${evil}`,
    `${own}&cc=${evil}`,
    `${own}#${evil}`,
    `${own}/${evil}`,
    `${local}@${domain}\\@evil.example`,
    `${local}@[127.0.0.1]`,
    `${local}@127.0.0.1`,
    `${local}@${domain}.`,
    `${local}@.${domain}`,
    `${local}@${domain}:25`,
    `${local}@`,
    `@${domain}`,
    local,
    '',
    `${'x'.repeat(300)}@${domain}`,
    `=?utf-8?q?${local}?=@${domain}`,
    `group:${own},${evil};`,
    `undisclosed-recipients:${evil};`,
    `${local}\u202e@${domain}`,
    `${local}\u200b@${domain}`,
    `\ufeff\u00ad${own}`,
  ]
}

test('EM-12, A18: mails only a single well-formed address', async () => {
  const server = await startServer()
  await server.addUser()
  const corpus = tricks(ada.username)
  const answers: unknown[] = []
  for (const email of corpus) {
    const reset = await askFor(server, email)
    const list = await server.openBrowser().send('POST', routes.magiclinkSend.path, [{ email, redirect: { tag: 'RedirectDashboard' } }])
    for (const response of [reset, list]) if (response.statusCode !== 400) answers.push([email, response.statusCode, response.body])
  }
  // The rest are well-formed addresses without an account.
  expect(answers.map(answer => (answer as unknown[])[1])).toEqual(answers.map(() => 200))
  expect(answers.length).toBeLessThan(8)
  expect(await server.deliver()).toEqual([])
  expect(await server.db.selectFrom('mail_links').selectAll().execute()).toEqual([])
})

test('EM-12: mails the stored address for an equivalent spelling', async () => {
  const server = await startServer()
  await server.addUser()
  await server.addUser({ username: "o'hara+ops@example.com", password: ada.password })
  await server.addUser({ username: 'zoë@xn--bcher-kva.example', password: ada.password })
  for (const [email, stored] of [
    [' ADA@Example.com\t', ada.username],
    ['ada@EXAMPLE.COM\n', ada.username],
    ["O'Hara+OPS@example.com", "o'hara+ops@example.com"],
    ['Zoe\u0308@B\u00fccher.example', 'zoë@xn--bcher-kva.example'],
  ] as const) {
    const before = (await server.deliver()).length
    server.clock.advance(1)
    expect((await askFor(server, email)).statusCode).toBe(200)
    const mails = await server.deliver()
    expect([email, mails.length - before, mails[0]?.to]).toEqual([email, 1, stored])
  }
})

test('EM-12: sends no mail for a name that only looks like a user’s', async () => {
  const server = await startServer()
  await server.addUser()
  // Cyrillic letters that look like Latin ones.
  const likes = ['\u0430da@example.com', 'ad\u0430@example.com', 'ada@ex\u0430mple.com', 'ada@examp\u04cfe.com']
  for (const email of likes) expect((await askFor(server, email)).statusCode).toBe(200)
  expect(await server.deliver()).toEqual([])
})

test('A19: escapes markup from a username and a User-Agent in mails, and adds no line to their subjects', async () => {
  const server = await startServer({ env: { GATEHOUSE_SECOND_FACTOR: 'skippable' } })
  const username = "a&b'!{x}=https*evil.example|b@example.com"
  const password = ada.password
  await server.addUser({ username, password })
  const browser = server.openBrowser()
  await browser.send(
    'POST',
    routes.sendPasswordResetEmail.path,
    { useremail: username },
    { 'user-agent': '<img src=https://evil.example/x>Firefox/1' },
  )
  const outcome = await browser.signIn({ username, password })
  const otpFactorUUID = outcome.tag === 'AuthRequiresFactorCreation' ? outcome.contents.factorUUID : ''
  await browser.send(
    'POST',
    routes.setupOTP.path,
    { otpUsername: username, otpPassword: password, otpFactorUUID },
    { 'user-agent': '<script>alert(1)</script>"onload=x Firefox/1 https://evil.example/' },
  )
  const mails = await server.deliver()
  expect(mails.map(mail => mail.to).sort()).toEqual([username, admin.username].sort())
  for (const { subject, text, html } of mails) {
    expect(html).not.toMatch(/<img|<script|onload=/i)
    expect(subject).not.toMatch(/[\r\n]/)
    for (const [address] of `${text} ${html}`.matchAll(/\bhttps?:\/\/[^\s"<>]+/g)) expect(address).toMatch(/^http:\/\/localhost:8080\//)
  }
  const told = mails.find(mail => mail.to === admin.username)
  expect(told?.html).toContain('a&amp;b')
  // The mailbox page escapes it too.
  const page = await open(server, `/mail/${told?.id}`)
  expect(page.body).not.toMatch(/<script>alert|"onload=|<img src=https/)
})

test('EM-11: sets a password only by a link’s token, not by any other field', async () => {
  const server = await startServer()
  const grace = { username: 'grace@example.com', password: 'a compiler of her own' }
  await server.addUser()
  await server.addUser(grace)
  await askFor(server, ada.username)
  const hers = mailedLink(await server.deliver(), 'new-password', ada.username)
  server.clock.advance(1)
  await askFor(server, grace.username)
  const graces = mailedLink(await server.deliver(), 'new-password', grace.username)
  const browser = server.openBrowser()
  await browser.call(routes.magiclinkSend, [{ email: ada.username, redirect: { tag: 'RedirectDashboard' } }])
  const oneTime = mailedLink(await server.deliver(), 'one-time-link', ada.username)
  const reset = async (body: object) => {
    const newPassword = { newpassword: 'a long new password', newpasswordverification: 'a long new password' }
    const response = await browser.send('POST', routes.resetPassword.path, { ...newPassword, ...body })
    return [response.statusCode, response.json()]
  }
  const refused = [410, { error: 'resettoken: is unknown, used or expired' }]
  const { computed } = server.passwords.figures()
  // Without a token.
  expect((await reset({ username: ada.username }))[0]).toBe(400)
  expect((await reset({ username: ada.username, resettoken: null }))[0]).toBe(400)
  for (const resettoken of ['', '.', hers.selector, `${hers.selector}.`, `.${hers.token}`, `${hers.selector}.${graces.token}`])
    expect(await reset({ username: ada.username, resettoken })).toEqual(refused)
  // Another user's link, a link of another kind, and the user’s own link with another username.
  expect(await reset({ username: ada.username, resettoken: `${graces.selector}.${graces.token}` })).toEqual(refused)
  expect(await reset({ username: ada.username, resettoken: `${oneTime.selector}.${oneTime.token}` })).toEqual(refused)
  expect(await reset({ username: grace.username, resettoken: `${hers.selector}.${hers.token}` })).toEqual(refused)
  expect(await reset({ username: 'nobody@example.com', resettoken: `${hers.selector}.${hers.token}` })).toEqual(refused)
  expect((await reset({ username: 'nothing', resettoken: `${hers.selector}.${hers.token}` }))[0]).toBe(400)
  // Without a valid link the server computes no hash.
  expect(server.passwords.figures().computed).toBe(computed)
  expect(await server.openBrowser().signIn()).toMatchObject({ tag: 'AuthSuccessful' })
  expect(await server.openBrowser().signIn(grace)).toMatchObject({ tag: 'AuthSuccessful' })
  expect(await reset({ username: ' ADA@example.com', resettoken: `${hers.selector}.${hers.token}` })).toEqual([200, { passkeys: [] }])
  expect(await reset({ username: ada.username, resettoken: `${hers.selector}.${hers.token}` })).toEqual(refused)
})
