import { accountRoutes, routes } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { minutes } from '../../src/limits.ts'
import * as mailLinks from '../../src/mail-links/mail-links.store.ts'
import { mailedLink } from '../credentials/mailed-link.ts'
import { ada, type Browser, isSignedIn, startServer } from '../support/harness.ts'

const startSignedIn = async () => {
  const server = await startServer()
  const userId = await server.addUser()
  const browser = server.openBrowser()
  await browser.enter()
  return { server, userId, browser }
}

const next = 'Countess@New.example'
const canonical = 'countess@new.example'

test('changes an email address after the password and a link mailed to the new address', async () => {
  const { server, browser } = await startSignedIn()
  await browser.call(accountRoutes.userEmailChange, { newemail: next, password: ada.password })
  const [mail, ...more] = await server.deliver()
  expect([mail?.to, more]).toEqual([canonical, []])
  const link = mailedLink([mail ?? { to: '', text: '' }], 'confirm-email')
  // §3: until the user confirms the new address, it has a verification key, and the old address remains the username.
  const emails = await server.db.selectFrom('emails').select(['emailEmail', 'emailVerkey']).orderBy('emailEmail').execute()
  expect(emails).toEqual([
    { emailEmail: ada.username, emailVerkey: null },
    { emailEmail: canonical, emailVerkey: link.selector },
  ])
  expect(JSON.stringify(emails)).not.toContain(link.token)
  expect(await server.openBrowser().signIn()).toMatchObject({ tag: 'AuthSuccessful' })

  // The link may be opened on another machine without a session.
  server.clock.advance(minutes(30) - 1)
  const otherBrowser = server.openBrowser()
  expect(await otherBrowser.call(routes.mailLinkLook, { kind: 'EmailChange', ...link })).toEqual({ state: 'Good', email: canonical })
  expect(await otherBrowser.call(accountRoutes.userEmailConfirm, link)).toEqual({})
  expect(await otherBrowser.call(routes.mailLinkLook, { kind: 'EmailChange', ...link })).toEqual({ state: 'Used' })
  expect((await otherBrowser.send('POST', accountRoutes.userEmailConfirm.path, link)).statusCode).toBe(410)
  expect([await isSignedIn(browser), await isSignedIn(otherBrowser)]).toEqual([false, false])
  expect(await otherBrowser.signIn()).toEqual({ tag: 'AuthFailureFailedLogin' })
  expect(await otherBrowser.signIn({ username: next, password: ada.password })).toMatchObject({ tag: 'AuthSuccessful' })
  expect(await server.db.selectFrom('emails').select(['emailEmail', 'emailVerkey']).execute()).toEqual([
    { emailEmail: canonical, emailVerkey: null },
  ])

  // EM-14: notifies the old address once, with the new address masked.
  const [notice, ...rest] = await server.deliver()
  expect(rest).toHaveLength(1)
  // A word joiner (U+2060) keeps mail programs from turning the masked address into a link.
  expect([notice?.to, notice?.text.replaceAll('\u2060', '')]).toEqual([ada.username, expect.stringContaining('c•••@new.example')])
  expect(notice?.text).not.toContain(canonical)
})

test('AZ-03: refuses a change to an administrator’s address without revealing that it is one', async () => {
  const server = await startServer({ env: { GATEHOUSE_ADMINS: 'boss@example.com' } })
  await server.addUser()
  const browser = server.openBrowser()
  await browser.enter()
  expect(await browser.call(accountRoutes.userEmailChange, { newemail: 'boss@example.com', password: ada.password })).toEqual({})
  expect(await server.deliver()).toEqual([])
})

test('requires a recent sign-in for a change of address, and names the account in the mail', async () => {
  const { server, browser } = await startSignedIn()
  server.clock.advance(minutes(15))
  const late = await browser.send('POST', accountRoutes.userEmailChange.path, { newemail: next, password: ada.password })
  expect([late.statusCode, late.json().error]).toEqual([403, expect.stringContaining('Sign in again')])
  await browser.enter()
  await browser.call(accountRoutes.userEmailChange, { newemail: next, password: ada.password })
  expect((await server.deliver())[0]?.text.replaceAll('\u2060', '')).toContain('a•••@example.com')
})

test('an expired link, or one with a wrong selector or token, changes nothing', async () => {
  const { server, browser } = await startSignedIn()
  await browser.call(accountRoutes.userEmailChange, { newemail: next, password: ada.password })
  const link = mailedLink(await server.deliver(), 'confirm-email')
  const confirm = async (claim: object) => (await browser.send('POST', accountRoutes.userEmailConfirm.path, claim)).statusCode
  expect(await confirm({ ...link, token: link.token.split('').reverse().join('') })).toBe(410)
  expect(await confirm({ ...link, selector: link.token.slice(0, 22) })).toBe(410)
  server.clock.advance(minutes(30))
  expect(await confirm(link)).toBe(410)
  expect(await isSignedIn(browser)).toBe(true)
  expect(await browser.signIn()).toMatchObject({ tag: 'AuthSuccessful' })
})

test('refuses a wrong password, which counts as a failed sign-in, and an invalid or unchanged address', async () => {
  const { server, browser } = await startSignedIn()
  const requestChange = async (newemail: string, password = ada.password) => {
    const response = await browser.send('POST', accountRoutes.userEmailChange.path, { newemail, password })
    return [response.statusCode, response.json()]
  }
  expect(await requestChange(next, 'wrong password wrong')).toEqual([403, { error: 'password: is wrong' }])
  expect(await server.db.selectFrom('failed_logins').select('failedLoginAttempts').execute()).toEqual([{ failedLoginAttempts: 1 }])
  for (const none of ['', 'countess', 'a@b.example,c@d.example', 'a@b.example\r\nBcc: c@d.example', 'ada＠example.com'])
    expect(await requestChange(none)).toEqual([400, { error: 'newemail: expected an email address', code: 'AddressMalformed' }])
  expect(await requestChange(' ADA@example.com')).toEqual([400, { error: 'newemail: is the address you have', code: 'AddressUnchanged' }])
  expect(await server.deliver()).toEqual([])
})

test('TH-12: gives the same answer for free and taken addresses, and mails only the free one', async () => {
  const { server, browser } = await startSignedIn()
  await server.addUser({ username: 'grace@example.com', password: 'a compiler of her own' })
  const answer = async (newemail: string) => {
    const { statusCode, headers, body } = await browser.send('POST', accountRoutes.userEmailChange.path, {
      newemail,
      password: ada.password,
    })
    const { 'x-request-id': _, date: __, ...alike } = headers
    return { statusCode, alike, body }
  }
  const free = await answer(next)
  expect(free).toMatchObject({ statusCode: 200, body: '{}' })
  expect(await answer('grace@example.com')).toEqual(free)
  expect(await answer('third@example.com')).toEqual(free)
  // TH-11: a fourth request within 15 minutes sends no mail and gives the same answer.
  expect(await answer('fourth@example.com')).toEqual(free)
  expect((await server.deliver()).map(mail => mail.to).sort()).toEqual([canonical, 'third@example.com'])
})

/** Everything the owner can see of the account, without what differs between any two accounts. */
const viewsOf = async (browser: Browser) => {
  const { userIdent, sessions, activity, browsers, ...rest } = await browser.call(accountRoutes.userAccount, {})
  expect(activity.rows.length).toBeGreaterThan(1)
  return {
    ...rest,
    sessions: sessions.map(({ own, from: { place } }) => ({ own, place })),
    browsers: browsers.map(({ browserId, from, ...times }) => ({ ...times, place: from?.place })),
    activity: activity.rows.map(({ kind, at, from }) => ({ kind, at, place: from?.place })),
    more: activity.more !== undefined,
    earlier: (await browser.call(accountRoutes.userActivity, { more: '9999999999999.x' })).rows.map(({ kind, at }) => ({ kind, at })),
  }
}

test('TH-12: the account page does not reveal whether a requested address is free, taken, or an administrator’s', async () => {
  const server = await startServer({ env: { GATEHOUSE_ADMINS: 'boss@example.com' } })
  const taken = { username: 'grace@example.com', password: 'a compiler of her own' }
  await server.addUser(taken)
  const seen = await Promise.all(
    ['free@example.com', taken.username, 'boss@example.com'].map(async (newemail, i) => {
      const owner = { username: `owner${i}@example.com`, password: ada.password }
      await server.addUser(owner)
      const browser = server.openBrowser()
      await browser.enter(owner)
      return { newemail, owner, browser }
    }),
  )
  for (const round of [1, 2, 3, 4]) {
    server.clock.advance(minutes(1))
    for (const { browser, newemail, owner } of seen)
      await browser.call(accountRoutes.userEmailChange, { newemail, password: owner.password })
    const [free, ...others] = await Promise.all(seen.map(({ browser }) => viewsOf(browser)))
    expect(free?.activity.slice(0, round).map(({ kind }) => kind)).toEqual(Array(round).fill('EmailChangeAsked'))
    expect(others).toEqual([free, free])
  }
  // No mail reveals it either. The audit log records the reason.
  expect(new Set((await server.deliver()).map(mail => mail.to))).toEqual(new Set(['free@example.com']))
  const results = await server.db.selectFrom('audit').select('auditResult').where('auditEvent', '=', 'email-change-requested').execute()
  expect(results.map(row => row.auditResult).filter(result => result === 'taken')).toHaveLength(6)
})

test('TH-12: runs the same kinds of statements for a taken and for a free address, and queues a request for each', async () => {
  const statements: string[] = []
  const server = await startServer({
    watch: db =>
      db.withPlugin({
        transformQuery: ({ node }) => {
          statements.push(node.kind)
          return node
        },
        transformResult: async ({ result }) => result,
      }),
  })
  await server.addUser()
  await server.addUser({ username: 'grace@example.com', password: 'a compiler of her own' })
  const browser = server.openBrowser()
  await browser.enter()
  const asked = async (newemail: string) => {
    statements.splice(0)
    await browser.call(accountRoutes.userEmailChange, { newemail, password: ada.password })
    const waiting = await server.db.selectFrom('outbox').select('mailId').execute()
    return { statements: [...statements], waiting: waiting.length }
  }
  const first = await asked('free@example.com')
  expect(first).toMatchObject({ waiting: 1 })
  expect(first.statements).toContain('InsertQueryNode')
  expect(await asked('grace@example.com')).toEqual({ ...first, waiting: 2 })
  // The queued request for the taken address sends no mail and leaves no row.
  expect((await server.deliver()).map(mail => mail.to)).toEqual(['free@example.com'])
  expect(await server.db.selectFrom('outbox').select('mailId').execute()).toEqual([])
  expect(server.logged.join()).not.toMatch(/failed|could not be/)
})

test('AZ-03: refuses an address that became an administrator’s before it was confirmed', async () => {
  const server = await startServer({ env: { GATEHOUSE_ADMINS: 'boss@example.com' } })
  const userId = await server.addUser()
  const browser = server.openBrowser()
  await browser.enter()
  // When the link was mailed, the address belonged to no administrator.
  const fragment = await mailLinks.issueMailLink(server.db, {
    kind: 'EmailChange',
    userId,
    lifetime: minutes(30),
    email: 'boss@example.com',
    now: server.clock.at,
  })
  const [selector = '', token = ''] = fragment.split('.')
  await server.db.insertInto('emails').values({ emailEmail: 'boss@example.com', emailUser: userId, emailVerkey: selector }).execute()
  expect((await browser.send('POST', accountRoutes.userEmailConfirm.path, { selector, token })).statusCode).toBe(410)
  expect(await server.db.selectFrom('users').select('userIdent').execute()).toEqual([{ userIdent: ada.username }])
})

test('refuses to confirm an address that another user has taken since the request', async () => {
  const { server, browser } = await startSignedIn()
  await browser.call(accountRoutes.userEmailChange, { newemail: next, password: ada.password })
  const link = mailedLink(await server.deliver(), 'confirm-email')
  const other = { username: canonical, password: 'a compiler of her own' }
  await server.addUser(other)
  expect((await browser.send('POST', accountRoutes.userEmailConfirm.path, link)).statusCode).toBe(410)
  expect(await isSignedIn(browser)).toBe(true)
  expect(await server.openBrowser().signIn(other)).toMatchObject({ tag: 'AuthSuccessful' })
})

test('accepts only a user’s newest request, and only the newer of two users’ requests for the same address', async () => {
  const { server, browser } = await startSignedIn()
  const grace = { username: 'grace@example.com', password: 'a compiler of her own' }
  await server.addUser(grace)
  const hers = server.openBrowser()
  await hers.enter(grace)
  const requestChange = async (from: Browser, newemail: string, password: string) => {
    server.clock.advance(1)
    await from.call(accountRoutes.userEmailChange, { newemail, password })
    return mailedLink(await server.deliver(), 'confirm-email')
  }
  const confirm = async (claim: object) => (await browser.send('POST', accountRoutes.userEmailConfirm.path, claim)).statusCode
  const first = await requestChange(browser, 'first@new.example', ada.password)
  const second = await requestChange(browser, canonical, ada.password)
  expect(await confirm(first)).toBe(410)
  const third = await requestChange(hers, canonical, grace.password)
  expect(await confirm(second)).toBe(410)
  expect(await confirm(third)).toBe(200)
  expect((await server.db.selectFrom('users').select('userIdent').orderBy('userIdent').execute()).map(row => row.userIdent)).toEqual([
    ada.username,
    canonical,
  ])
})

test('SE-06: ending the other sessions cancels an email change that one of them requested', async () => {
  const { server, browser } = await startSignedIn()
  const attacker = server.openBrowser()
  await attacker.enter()
  await attacker.call(accountRoutes.userEmailChange, { newemail: next, password: ada.password })
  const link = mailedLink(await server.deliver(), 'confirm-email')
  await browser.call(routes.sendPasswordResetEmail, { useremail: ada.username })
  const reset = mailedLink(await server.deliver(), 'new-password')
  server.clock.advance(1)
  await browser.call(accountRoutes.userSessionEndOthers, {})
  expect((await attacker.send('POST', accountRoutes.userEmailConfirm.path, link)).statusCode).toBe(410)
  // Links mailed to the owner's own address remain valid.
  expect((await browser.call(routes.mailLinkLook, { kind: 'PasswordReset', ...reset })).state).toBe('Good')
})
