import { accountRoutes, routes } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { seconds } from '../../src/limits.ts'
import { mailedLink } from '../credentials/mailed-link.ts'
import { codeAt, enroll } from '../support/authenticator.ts'
import { ada, admin, type Browser, isSignedIn, startServer } from '../support/harness.ts'

const grace = { username: 'grace@example.com', password: 'a compiler of her own' }

/** Ada, and an administrator who has just signed in. */
const startAdministered = async () => {
  const server = await startServer()
  const [userId, adminId] = [await server.addUser(), await server.addUser(admin)]
  const administrator = server.openBrowser()
  await administrator.enter(admin)
  return { server, userId, adminId, administrator }
}

/** The hand-over code of a sign-in, which a deletion requires. */
const reauthenticate = async (browser: Browser, user = admin) => {
  const outcome = await browser.signIn(user)
  if (outcome.tag !== 'AuthSuccessful') throw new Error(outcome.tag)
  return { selector: outcome.contents.authTokenSelector, token: outcome.contents.authTokenToken }
}

test('deletes a user only with a hand-over code just issued in the same browser, and accepts each code once', async () => {
  const { server, administrator } = await startAdministered()
  await server.addUser(grace)
  const remove = async (browser: Browser, userident: string, proof: { selector: string; token: string }) =>
    (await browser.send('POST', routes.userDelete.path, { userident, ...proof })).statusCode

  const otherBrowser = server.openBrowser()
  expect(await remove(administrator, ada.username, await reauthenticate(otherBrowser))).toBe(403)

  // The hand-over code of Ada's own sign-in is refused, even in the administrator's browser.
  expect(await remove(administrator, ada.username, await reauthenticate(administrator, ada))).toBe(403)

  const used = await reauthenticate(administrator)
  await administrator.call(routes.loginWithToken, { authTokenSelector: used.selector, authTokenToken: used.token })
  expect(await remove(administrator, ada.username, used)).toBe(403)

  const late = await reauthenticate(administrator)
  server.clock.advance(seconds(60))
  expect(await remove(administrator, ada.username, late)).toBe(403)

  // A deletion that finds no user uses the code up too.
  const proof = await reauthenticate(administrator)
  expect(await remove(administrator, 'nobody@example.com', proof)).toBe(404)
  expect(await remove(administrator, ada.username, proof)).toBe(403)

  const again = await reauthenticate(administrator)
  expect(await remove(administrator, ada.username, again)).toBe(200)
  expect(await remove(administrator, grace.username, again)).toBe(403)
  const left = await server.db.selectFrom('users').select('userIdent').orderBy('userIdent').execute()
  expect(left.map(row => row.userIdent)).toEqual([admin.username, grace.username])
})

/** Ada has a session, a hand-over code, a ticket, an authenticator with recovery codes, and an open link of each kind. */
const startWithEverything = async () => {
  const server = await startServer({ env: { GATEHOUSE_SECOND_FACTOR: 'skippable' } })
  const [userId] = [await server.addUser(), await server.addUser(admin)]
  const later = () => server.clock.advance(seconds(30))
  const [session, handOver, ticket] = [server.openBrowser(), server.openBrowser(), server.openBrowser()]
  const { secret } = await enroll(session, server.clock)
  later()
  await session.call(accountRoutes.userRecoveryCodes, {})
  await session.call(accountRoutes.userEmailChange, { newemail: 'new@example.com', password: ada.password })
  await ticket.call(routes.magiclinkSend, [{ email: ada.username, redirect: { tag: 'RedirectDashboard' } }])
  const oneTime = mailedLink(await server.deliver(), 'one-time-link')
  expect(await ticket.call(routes.magiclinkRedeem, oneTime)).toEqual({ tag: 'AuthRequires2FA' })
  expect(ticket.jar.has('gatehouse-ticket')).toBe(true)
  later()
  await ticket.call(routes.magiclinkSend, [{ email: ada.username, redirect: { tag: 'RedirectDashboard' } }])
  await ticket.call(routes.sendPasswordResetEmail, { useremail: ada.username })
  await session.call(routes.resetOTP, { otpUsername: ada.username, otpPassword: ada.password })
  later()
  const mails = await server.deliver()
  const links = {
    OneTimeLink: mailedLink(mails, 'one-time-link'),
    PasswordReset: mailedLink(mails, 'new-password'),
    FactorReset: mailedLink(mails, 'new-factor'),
    EmailChange: mailedLink(mails, 'confirm-email'),
  }
  const administrator = server.openBrowser()
  const own = await enroll(administrator, server.clock, admin)
  later()
  const otp = { otpUsername: ada.username, otpPassword: ada.password }
  const pair = await handOver.call(routes.verifyOTP, { ...otp, otpVerification: await codeAt(secret, server.clock.at) })
  if (pair.tag !== 'AuthSuccessful') throw new Error(pair.tag)
  later()
  const proof = async () => {
    const code = await codeAt(own.secret, server.clock.at)
    const outcome = await administrator.call(routes.verifyOTP, {
      otpUsername: admin.username,
      otpPassword: admin.password,
      otpVerification: code,
    })
    if (outcome.tag !== 'AuthSuccessful') throw new Error(outcome.tag)
    return { selector: outcome.contents.authTokenSelector, token: outcome.contents.authTokenToken }
  }
  const looks = async () => {
    const states: Record<string, string> = {}
    for (const [kind, claim] of Object.entries(links)) states[kind] = (await session.call(routes.mailLinkLook, { kind, ...claim })).state
    return states
  }
  /** Whether the server still accepts the ticket in place of the password. */
  const ticketWorks = async () => {
    const code = await codeAt(secret, server.clock.at)
    return (await ticket.call(routes.verifyOTP, { otpUsername: '', otpPassword: '', otpVerification: code })).tag === 'AuthSuccessful'
  }
  const handOverWorks = async () => (await handOver.send('POST', routes.plowlogin.path, pair.contents)).statusCode === 200
  return { server, userId, session, administrator, proof, looks, ticketWorks, handOverWorks }
}

test('SE-05: before the deletion, the user’s session, ticket, hand-over code and links work', async () => {
  const { session, looks, ticketWorks, handOverWorks } = await startWithEverything()
  expect(await looks()).toEqual({ OneTimeLink: 'Good', PasswordReset: 'Good', FactorReset: 'Good', EmailChange: 'Good' })
  expect([await isSignedIn(session), await handOverWorks(), await ticketWorks()]).toEqual([true, true, true])
})

test('SE-05: deletion ends sessions, tickets, hand-over codes and links, and keeps only the audit log', async () => {
  const { server, userId, session, administrator, proof, looks, ticketWorks, handOverWorks } = await startWithEverything()
  await server.openBrowser().signIn({ ...ada, password: 'wrong password wrong' })
  await administrator.call(routes.userDelete, { userident: ada.username, ...(await proof()) })
  expect([await isSignedIn(session), await handOverWorks(), await ticketWorks()]).toEqual([false, false, false])
  expect(await server.db.selectFrom('failed_logins').selectAll().execute()).toEqual([])
  expect(await looks()).toEqual({ OneTimeLink: 'Unknown', PasswordReset: 'Unknown', FactorReset: 'Unknown', EmailChange: 'Unknown' })
  for (const [table, column] of owned) {
    const rows = await server.db.selectFrom(table).selectAll().execute()
    expect([table, rows.filter(row => (row as Record<string, unknown>)[column] === userId)]).toEqual([table, []])
  }
  const told = await server.db
    .selectFrom('audit')
    .select(['auditResult'])
    .where('auditEvent', '=', 'user-deleted')
    .where('auditTarget', '=', userId)
    .execute()
  expect(told).toEqual([{ auditResult: 'successful' }])
})

const owned = [
  ['users', 'userId'],
  ['emails', 'emailUser'],
  ['known_browsers', 'browserUser'],
  ['hand_overs', 'authTokenUser'],
  ['sessions', 'sessionUser'],
  ['factors', 'factorIdentity'],
  ['challenges', 'challengeIdentity'],
  ['failed_codes', 'failedCodeUser'],
  ['recovery_codes', 'recoveryCodeUser'],
  ['tickets', 'ticketUser'],
  ['mail_links', 'mailLinkUser'],
  ['notices', 'noticeUser'],
] as const

test('SE-06: an administrator ends another user’s sessions, hand-over codes and tickets', async () => {
  const { userId, session, administrator, ticketWorks, handOverWorks } = await startWithEverything()
  expect(await administrator.call(routes.logoutByUserId, userId)).toBe(true)
  expect([await isSignedIn(session), await handOverWorks(), await ticketWorks()]).toEqual([false, false, false])
  expect(await isSignedIn(administrator)).toBe(true)
})
