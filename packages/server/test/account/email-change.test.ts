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

test('an e-mail address is changed by the password and a link that is mailed to the new one', async () => {
  const { server, browser } = await startSignedIn()
  await browser.call(accountRoutes.userEmailChange, { newemail: next, password: ada.password })
  const [mail, ...more] = await server.deliver()
  expect([mail?.to, more]).toEqual([canonical, []])
  const link = mailedLink([mail ?? { to: '', text: '' }], 'confirm-email')
  // Until it is confirmed the key stands beside the new address (§3), and the old one is the name.
  const emails = await server.db.selectFrom('emails').select(['emailEmail', 'emailVerkey']).orderBy('emailEmail').execute()
  expect(emails).toEqual([
    { emailEmail: ada.username, emailVerkey: null },
    { emailEmail: canonical, emailVerkey: link.selector },
  ])
  expect(JSON.stringify(emails)).not.toContain(link.token)
  expect(await server.openBrowser().signIn()).toMatchObject({ tag: 'AuthSuccessful' })

  // The link may be opened on another machine, where nobody is signed in.
  server.clock.advance(minutes(30) - 1)
  const elsewhere = server.openBrowser()
  expect(await elsewhere.call(routes.mailLinkLook, { kind: 'EmailChange', ...link })).toEqual({ state: 'Good', email: canonical })
  expect(await elsewhere.call(accountRoutes.userEmailConfirm, link)).toEqual({})
  expect(await elsewhere.call(routes.mailLinkLook, { kind: 'EmailChange', ...link })).toEqual({ state: 'Used' })
  expect((await elsewhere.send('POST', accountRoutes.userEmailConfirm.path, link)).statusCode).toBe(410)
  expect([await isSignedIn(browser), await isSignedIn(elsewhere)]).toEqual([false, false])
  expect(await elsewhere.signIn()).toEqual({ tag: 'AuthFailureFailedLogin' })
  expect(await elsewhere.signIn({ username: next, password: ada.password })).toMatchObject({ tag: 'AuthSuccessful' })
  expect(await server.db.selectFrom('emails').select(['emailEmail', 'emailVerkey']).execute()).toEqual([
    { emailEmail: canonical, emailVerkey: null },
  ])

  // EM-14: the old address is told, once, and not the whole new one.
  const [notice, ...rest] = await server.deliver()
  expect(rest).toHaveLength(1)
  // No mail program makes a link of it.
  expect([notice?.to, notice?.text.replaceAll('\u2060', '')]).toEqual([ada.username, expect.stringContaining('c•••@new.example')])
  expect(notice?.text).not.toContain(canonical)
})

test('AZ-03: nobody comes to an administrator’s address by a change, and is not told that it is one', async () => {
  const server = await startServer({ env: { GATEHOUSE_ADMINS: 'boss@example.com' } })
  await server.addUser()
  const browser = server.openBrowser()
  await browser.enter()
  expect(await browser.call(accountRoutes.userEmailChange, { newemail: 'boss@example.com', password: ada.password })).toEqual({})
  expect(await server.deliver()).toEqual([])
})

test('a change of address wants a sign-in not long ago, and its mail says whose account it is', async () => {
  const { server, browser } = await startSignedIn()
  server.clock.advance(minutes(15))
  const late = await browser.send('POST', accountRoutes.userEmailChange.path, { newemail: next, password: ada.password })
  expect([late.statusCode, late.json().error]).toEqual([403, expect.stringContaining('Sign in again')])
  await browser.enter()
  await browser.call(accountRoutes.userEmailChange, { newemail: next, password: ada.password })
  expect((await server.deliver())[0]?.text.replaceAll('\u2060', '')).toContain('a•••@example.com')
})

test('a confirmation that comes after half an hour, or with half a link, changes nothing', async () => {
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

test('the wrong password changes no address and counts; an address that is none, or is the old one, is told', async () => {
  const { server, browser } = await startSignedIn()
  const wish = async (newemail: string, password = ada.password) => {
    const response = await browser.send('POST', accountRoutes.userEmailChange.path, { newemail, password })
    return [response.statusCode, response.json()]
  }
  expect(await wish(next, 'wrong password wrong')).toEqual([403, { error: 'password: is wrong' }])
  expect(await server.db.selectFrom('failed_logins').select('failedLoginAttempts').execute()).toEqual([{ failedLoginAttempts: 1 }])
  for (const none of ['', 'countess', 'a@b.example,c@d.example', 'a@b.example\r\nBcc: c@d.example', 'ada＠example.com'])
    expect(await wish(none)).toEqual([400, { error: 'newemail: expected an e-mail address' }])
  expect(await wish(' ADA@example.com')).toEqual([400, { error: 'newemail: is the address you have', code: 'AddressUnchanged' }])
  expect(await server.deliver()).toEqual([])
})

test('TH-12: whether an address is taken is not told: the same answer, and mail only to one that is free', async () => {
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
  // TH-11: a fourth within a quarter of an hour is not sent, and that is not told either.
  expect(await answer('fourth@example.com')).toEqual(free)
  expect((await server.deliver()).map(mail => mail.to).sort()).toEqual([canonical, 'third@example.com'])
})

/** All that the owner of an account can see of it, without what differs between any two accounts. */
const viewsOf = async (browser: Browser) => {
  const { userIdent, sessions, activity, ...rest } = await browser.call(accountRoutes.userAccount, {})
  expect(activity.rows.length).toBeGreaterThan(1)
  return {
    ...rest,
    sessions: sessions.map(({ own, from: { place } }) => ({ own, place })),
    activity: activity.rows.map(({ kind, at, from }) => ({ kind, at, place: from?.place })),
    more: activity.more !== undefined,
    earlier: (await browser.call(accountRoutes.userActivity, { more: '9999999999999.x' })).rows.map(({ kind, at }) => ({ kind, at })),
  }
}

test('TH-12: the owner sees the same of a request for a free, a taken and an administrator’s address', async () => {
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
  // Nor do their mailboxes tell, and administrators can still see the reason.
  expect(new Set((await server.deliver()).map(mail => mail.to))).toEqual(new Set(['free@example.com']))
  const results = await server.db.selectFrom('audit').select('auditResult').where('auditEvent', '=', 'email-change-requested').execute()
  expect(results.map(row => row.auditResult).filter(result => result === 'taken')).toHaveLength(6)
})

test('TH-12: a request for a taken address writes as many rows as one for a free address', async () => {
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
  // What was queued for the taken address goes to nobody, and leaves nothing behind.
  expect((await server.deliver()).map(mail => mail.to)).toEqual(['free@example.com'])
  expect(await server.db.selectFrom('outbox').select('mailId').execute()).toEqual([])
  expect(server.logged.join()).not.toMatch(/failed|could not be/)
})

test('AZ-03: an address that became an administrator’s before it was confirmed is refused', async () => {
  const server = await startServer({ env: { GATEHOUSE_ADMINS: 'boss@example.com' } })
  const userId = await server.addUser()
  const browser = server.openBrowser()
  await browser.enter()
  // As if the address had been an ordinary one when the link was mailed.
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

test('an address that was taken before it was confirmed stays with whoever has it', async () => {
  const { server, browser } = await startSignedIn()
  await browser.call(accountRoutes.userEmailChange, { newemail: next, password: ada.password })
  const link = mailedLink(await server.deliver(), 'confirm-email')
  const other = { username: canonical, password: 'a compiler of her own' }
  await server.addUser(other)
  expect((await browser.send('POST', accountRoutes.userEmailConfirm.path, link)).statusCode).toBe(410)
  expect(await isSignedIn(browser)).toBe(true)
  expect(await server.openBrowser().signIn(other)).toMatchObject({ tag: 'AuthSuccessful' })
})

test('only the newest wish is good, and of two who wish for the same address the one who asked last', async () => {
  const { server, browser } = await startSignedIn()
  const grace = { username: 'grace@example.com', password: 'a compiler of her own' }
  await server.addUser(grace)
  const hers = server.openBrowser()
  await hers.enter(grace)
  const wish = async (who: Browser, newemail: string, password: string) => {
    server.clock.advance(1)
    await who.call(accountRoutes.userEmailChange, { newemail, password })
    return mailedLink(await server.deliver(), 'confirm-email')
  }
  const confirm = async (claim: object) => (await browser.send('POST', accountRoutes.userEmailConfirm.path, claim)).statusCode
  const first = await wish(browser, 'first@new.example', ada.password)
  const second = await wish(browser, canonical, ada.password)
  expect(await confirm(first)).toBe(410)
  const third = await wish(hers, canonical, grace.password)
  expect(await confirm(second)).toBe(410)
  expect(await confirm(third)).toBe(200)
  expect((await server.db.selectFrom('users').select('userIdent').orderBy('userIdent').execute()).map(row => row.userIdent)).toEqual([
    ada.username,
    canonical,
  ])
})

test('SE-06: whoever ends the other sessions ends the change of address that one of them has asked for', async () => {
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
  // What was mailed to the owner's own address is the owner's.
  expect((await browser.call(routes.mailLinkLook, { kind: 'PasswordReset', ...reset })).state).toBe('Good')
})
