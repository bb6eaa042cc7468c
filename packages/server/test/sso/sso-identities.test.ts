import { accountRoutes, routes } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { mailedLink } from '../credentials/mailed-link.ts'
import { ada, isSignedIn, startServer } from '../support/harness.ts'
import type { Claims } from './identity-provider.ts'
import {
  adaAtProvider,
  finishSignIn,
  isRefusal,
  linkIdentity,
  results,
  returnFromProvider,
  type Server,
  signInAtProvider,
  startAtProvider,
  startLinked,
  startWithProvider,
  userOf,
} from './sso-sign-in.ts'

const countUsers = async ({ db }: Server) => (await db.selectFrom('users').select('userId').execute()).length

test('OI-04, A11: the same address with another subject is another user; the same subject with another address is the same user', async () => {
  const { idp, server, userId } = await startLinked({ env: { GATEHOUSE_SSO_PROVISION: 'on' } })
  idp.users.set('somebody-else', { ...adaAtProvider, sub: 'somebody-else' })
  const browser = server.openBrowser()
  expect(await isRefusal(await signInAtProvider(browser, idp, 'somebody-else'), browser)).toBe(true)
  expect(await countUsers(server)).toBe(1)
  idp.users.set(adaAtProvider.sub, { sub: adaAtProvider.sub, email: 'countess@example.com', email_verified: true })
  await finishSignIn(browser, await signInAtProvider(browser, idp))
  expect(await countUsers(server)).toBe(1)
  const [newest] = await server.db.selectFrom('sessions').select('sessionUser').orderBy('sessionCreated', 'desc').execute()
  expect(newest?.sessionUser).toBe(userId)
})

test('OI-04, A11: Microsoft users are identified by tenant and object; another tenant’s object is another user, whatever the address', async () => {
  const { idp, server } = await startWithProvider({
    as: ['AZURE'],
    env: { GATEHOUSE_SSO_PROVISION: 'on', GATEHOUSE_AZURE_TENANT: 'common' },
  })
  const known = { sub: 'pairwise-1', tid: 'tenant-1', oid: 'object-1', email: ada.username, email_verified: true }
  const people = {
    known,
    'other tenant': { ...known, sub: 'p2', tid: 'tenant-2' },
    'other object': { ...known, sub: 'p3', oid: 'object-2' },
    'no object': { sub: 'p4', tid: 'tenant-1', email: ada.username, email_verified: true },
    'halves moved': { ...known, sub: 'p5', tid: 'tenant-1 object-1', oid: 'x' },
    'other application': { ...known, sub: 'p6' },
  }
  for (const person of Object.values(people)) idp.users.set(person.sub, person)
  const first = server.openBrowser()
  await finishSignIn(first, await signInAtProvider(first, idp, known.sub, 'azure'))
  expect((await userOf(server, ada.username))?.userAzureId).toBe('tenant-1 object-1')
  for (const name of ['other tenant', 'other object', 'no object', 'halves moved'] as const) {
    const browser = server.openBrowser()
    expect([name, await isRefusal(await signInAtProvider(browser, idp, people[name].sub, 'azure'), browser)]).toEqual([name, true])
  }
  const browser = server.openBrowser()
  await finishSignIn(browser, await signInAtProvider(browser, idp, people['other application'].sub, 'azure'))
  expect(await countUsers(server)).toBe(1)
})

test('OI-04: refuses users of Microsoft tenants that are not listed', async () => {
  const [ours, theirs] = ['11111111-2222-3333-4444-555555555555', '66666666-7777-8888-9999-aaaaaaaaaaaa']
  const env = { GATEHOUSE_SSO_PROVISION: 'on', GATEHOUSE_AZURE_TENANT: `${ours}, ${theirs.toUpperCase()}` }
  const { idp, server } = await startWithProvider({ as: ['AZURE'], env })
  const person = (sub: string, tid?: string) => ({ sub, ...(tid && { tid }), oid: sub, email: `${sub}@example.com`, email_verified: true })
  const people = [person('one', ours), person('two', theirs.toUpperCase()), person('three', ours.replace('1', '2')), person('four')]
  for (const one of people) idp.users.set(one.sub, one)
  for (const sub of ['three', 'four']) {
    const browser = server.openBrowser()
    expect([sub, await isRefusal(await signInAtProvider(browser, idp, sub, 'azure'), browser)]).toEqual([sub, true])
  }
  expect(await countUsers(server)).toBe(0)
  for (const sub of ['one', 'two']) {
    const browser = server.openBrowser()
    await finishSignIn(browser, await signInAtProvider(browser, idp, sub, 'azure'))
  }
  expect(await countUsers(server)).toBe(2)
})

test.each(['on', 'off'])(
  'OI-05, A10: single sign-on does not give a user an existing account with the same address, provisioning %s',
  async provision => {
    const { idp, server } = await startWithProvider({ env: { GATEHOUSE_SSO_PROVISION: provision } })
    // An attacker created this account and knows its password.
    await server.addUser(ada)
    const attacker = server.openBrowser()
    await attacker.enter()
    const victim = server.openBrowser()
    expect(await isRefusal(await signInAtProvider(victim, idp), victim)).toBe(true)
    expect(await userOf(server, ada.username)).toMatchObject({ userGoogleId: null, userAzureId: null, userPakId: null })
    expect(await countUsers(server)).toBe(1)
    expect(victim.jar.has('gatehouse-session')).toBe(false)
    expect(await results(server)).toEqual([provision === 'on' ? 'google: name-taken' : 'google: unknown-identity'])

    // The owner proves control of the mailbox, which locks the attacker out, and then links the identity.
    await victim.call(routes.sendPasswordResetEmail, { useremail: ada.username })
    const { selector, token } = mailedLink(await server.deliver(), 'new-password', ada.username)
    const password = 'what only the owner knows'
    await victim.call(routes.resetPassword, {
      username: ada.username,
      resettoken: `${selector}.${token}`,
      newpassword: password,
      newpasswordverification: password,
    })
    expect(await isSignedIn(attacker)).toBe(false)
    expect(await attacker.signIn()).toEqual({ tag: 'AuthFailureFailedLogin' })
    await victim.enter({ ...ada, password })
    expect((await linkIdentity(victim, idp, adaAtProvider.sub, password)).headers.location).toBe('/account')
    const again = server.openBrowser()
    await finishSignIn(again, await signInAtProvider(again, idp))
  },
)

test('OI-05: with provisioning on, creates no user for an address the provider has not verified', async () => {
  const { idp, server } = await startWithProvider({ env: { GATEHOUSE_SSO_PROVISION: 'on' } })
  const addresses: Claims[] = [
    { email: 'new@example.com', email_verified: false },
    { email: 'new@example.com' },
    { email: 'new@example.com', email_verified: 'true' },
    { email: 'not an address', email_verified: true },
    { email: 'two@example.com, three@example.com', email_verified: true },
    { email_verified: true },
  ]
  for (const [i, claims] of addresses.entries()) {
    idp.users.set(`p${i}`, { sub: `p${i}`, ...claims })
    const browser = server.openBrowser()
    expect([claims, await isRefusal(await signInAtProvider(browser, idp, `p${i}`), browser)]).toEqual([claims, true])
  }
  expect(await countUsers(server)).toBe(0)
})

test('with provisioning on, creates one user without a password for a verified address and signs in; with it off, creates none', async () => {
  const { idp, server } = await startWithProvider({ env: { GATEHOUSE_SSO_PROVISION: 'on' } })
  for (let i = 0; i < 2; i++) {
    const browser = server.openBrowser()
    await finishSignIn(browser, await signInAtProvider(browser, idp))
  }
  expect(await countUsers(server)).toBe(1)
  expect(await userOf(server, ada.username)).toMatchObject({ userPassword: null, userGoogleId: `${idp.issuer} ${adaAtProvider.sub}` })
  expect(await results(server, 'user-added')).toEqual(['by google'])
  expect(await server.openBrowser().signIn()).toEqual({ tag: 'AuthFailureFailedLogin' })

  const off = await startServer({ env: idp.env('GOOGLE') })
  const browser = off.openBrowser()
  const answer = await signInAtProvider(browser, idp)
  expect([answer.statusCode, await isRefusal(answer, browser), await countUsers(off)]).toEqual([403, true, 0])
})

test('a deleted user cannot sign in again, and callbacks of pending sign-ins and links are refused', async () => {
  const { idp, server, userId, browser } = await startLinked({ as: ['GOOGLE', 'PAK'] })
  const { location } = await browser.call(accountRoutes.userProviderLink, { provider: 'Pak', password: ada.password })
  const linking = await idp.visit(location, adaAtProvider.sub)
  const other = server.openBrowser()
  const back = await idp.visit((await startAtProvider(other)).headers.location, adaAtProvider.sub)
  await server.db.deleteFrom('users').where('userId', '=', userId).execute()
  expect(await isRefusal(await returnFromProvider(browser, linking), browser)).toBe(true)
  expect(await isRefusal(await returnFromProvider(other, back), other)).toBe(true)
  expect(await countUsers(server)).toBe(0)
})

test('concurrent sign-ins of a new user create one user without an error', async () => {
  const { idp, server } = await startWithProvider({ env: { GATEHOUSE_SSO_PROVISION: 'on' } })
  const ways = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const browser = server.openBrowser()
      return { browser, back: await idp.visit((await startAtProvider(browser)).headers.location, adaAtProvider.sub) }
    }),
  )
  const answers = await Promise.all(ways.map(({ browser, back }) => returnFromProvider(browser, back)))
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([303, 303, 303, 303])
  expect(await countUsers(server)).toBe(1)
})

test('AZ-03, A10: no provider can make a user an administrator', async () => {
  const { idp, server } = await startWithProvider({ env: { GATEHOUSE_SSO_PROVISION: 'on', GATEHOUSE_ADMINS: 'ops@example.com' } })
  idp.users.set('climber', { sub: 'climber', email: 'OPS@example.com', email_verified: true })
  const browser = server.openBrowser()
  expect(await isRefusal(await signInAtProvider(browser, idp, 'climber'), browser)).toBe(true)
  expect(await countUsers(server)).toBe(0)
})
