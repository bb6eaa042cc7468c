import { accountRoutes, routes } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { limits, minutes } from '../../src/limits.ts'
import { ada, type Browser, isSignedIn } from '../support/harness.ts'
import {
  adaAtProvider,
  audited,
  finishSignIn,
  grace,
  isRefusal,
  linkIdentity,
  results,
  returnFromProvider,
  signInAtProvider,
  startAtProvider,
  startLinked,
  startWithProvider,
  userOf,
} from './sso-sign-in.ts'

test('A13: linking requires a session, the password and Gatehouse’s own page', async () => {
  const { idp, server } = await startWithProvider()
  const userId = await server.addUser()
  const browser = server.openBrowser()
  const ask = (from: Browser, body: object, headers = {}) => from.send('POST', accountRoutes.userProviderLink.path, body, headers)
  const request = { provider: 'Google', password: ada.password }
  expect((await ask(server.openBrowser(), request)).statusCode).toBe(401)
  await browser.enter()
  expect((await ask(browser, request, { origin: 'https://evil.example' })).statusCode).toBe(403)
  for (const body of [{ provider: 'google', password: 'x' }, { provider: '__proto__', password: 'x' }, { provider: 'Google' }, {}, null])
    expect((await ask(browser, body as object)).statusCode).toBe(400)
  expect((await ask(browser, { ...request, provider: 'Pak' })).statusCode).toBe(409)
  const wrong = await ask(browser, { ...request, password: 'a wrong password' })
  expect([wrong.statusCode, wrong.json()]).toEqual([403, { error: 'password: is wrong' }])
  const count = await server.db.selectFrom('failed_logins').select('failedLoginAttempts').execute()
  expect(count).toEqual([{ failedLoginAttempts: 1 }])
  expect(await server.db.selectFrom('sso_journeys').selectAll().execute()).toEqual([])

  const linked = await linkIdentity(browser, idp)
  expect([linked.statusCode, linked.headers.location]).toEqual([303, '/account'])
  expect(await userOf(server, ada.username)).toMatchObject({ userGoogleId: `${idp.issuer} ${adaAtProvider.sub}` })
  expect(await audited(server)).toContainEqual({ auditResult: 'google: linked', auditActor: userId, auditTarget: userId })
  const [mail] = await server.deliver()
  expect([mail?.to, mail?.subject]).toEqual([ada.username, expect.stringContaining('Google account linked')])
  expect(new URL(String((await startAtProvider(server.openBrowser())).headers.location)).searchParams.get('prompt')).toBe(null)
})

test('A13, TH-07: links nothing during a lockout of the password', async () => {
  const { server } = await startWithProvider()
  await server.addUser()
  const browser = server.openBrowser()
  await browser.enter()
  browser.jar.delete('gatehouse-browser')
  for (let i = 0; i < 10; i++) await browser.send('POST', accountRoutes.userProviderLink.path, { provider: 'Google', password: 'wrong' })
  const right = await browser.send('POST', accountRoutes.userProviderLink.path, { provider: 'Google', password: ada.password })
  expect(right.statusCode).toBe(403)
})

test('A13: only the user who started linking can finish it, in the same browser and while signed in', async () => {
  const { idp, server } = await startWithProvider()
  await server.addUser()
  await server.addUser(grace)
  const begin = async () => {
    const browser = server.openBrowser()
    await browser.enter()
    const { location } = await browser.call(accountRoutes.userProviderLink, { provider: 'Google', password: ada.password })
    return { browser, back: await idp.visit(location, adaAtProvider.sub) }
  }
  const nobodyIsLinked = async () => {
    for (const { username } of [ada, grace]) expect((await userOf(server, username))?.userGoogleId).toBe(null)
  }
  // The attacker gives their callback address to a signed-in victim.
  const { back: handed } = await begin()
  const victim = server.openBrowser()
  await victim.enter(grace)
  expect((await returnFromProvider(victim, handed)).statusCode).toBe(400)
  await nobodyIsLinked()
  // The same user, but in a second browser, which has started to link as well.
  const { back: elsewhere } = await begin()
  const { browser: second } = await begin()
  expect((await returnFromProvider(second, elsewhere)).statusCode).toBe(400)
  await nobodyIsLinked()
  // The same browser, but with another user signed in meanwhile, or signed out.
  for (const meanwhile of [(browser: Browser) => browser.enter(grace), (browser: Browser) => browser.call(routes.logoutBySelf, {})]) {
    const { browser, back } = await begin()
    await meanwhile(browser)
    expect((await returnFromProvider(browser, back)).statusCode).toBe(400)
    await nobodyIsLinked()
  }
  // A sign-in journey links nothing, even in a signed-in browser.
  const signedIn = server.openBrowser()
  await signedIn.enter()
  expect((await signInAtProvider(signedIn, idp)).statusCode).toBe(403)
  await nobodyIsLinked()
  const { browser, back } = await begin()
  expect((await returnFromProvider(browser, back)).headers.location).toBe('/account')
  expect(await userOf(server, ada.username)).toMatchObject({ userGoogleId: `${idp.issuer} ${adaAtProvider.sub}` })
  expect((await userOf(server, grace.username))?.userGoogleId).toBe(null)
})

test('refuses to link an identity that belongs to another user', async () => {
  const { idp, server } = await startLinked()
  await server.addUser(grace)
  const browser = server.openBrowser()
  await browser.enter(grace)
  const refused = await linkIdentity(browser, idp, adaAtProvider.sub, grace.password)
  expect(refused.statusCode).toBe(409)
  expect((await userOf(server, grace.username))?.userGoogleId).toBe(null)
  expect(await results(server)).toContain('google: not linked: taken')
})

test('linking asks the provider to authenticate the user again', async () => {
  const { server } = await startWithProvider()
  await server.addUser()
  const browser = server.openBrowser()
  await browser.enter()
  const { location } = await browser.call(accountRoutes.userProviderLink, { provider: 'Google', password: ada.password })
  expect(new URL(location).searchParams.get('prompt')).toBe('login')
})

test('unlinking requires session and password, sends a mail, and closes that way to sign in', async () => {
  const { idp, server, userId, browser } = await startLinked()
  const ask = (from: Browser, password: string) =>
    from.send('POST', accountRoutes.userProviderUnlink.path, { provider: 'Google', password })
  expect((await ask(server.openBrowser(), ada.password)).statusCode).toBe(401)
  expect((await ask(browser, 'a wrong password')).json()).toEqual({ error: 'password: is wrong' })
  expect((await userOf(server, ada.username))?.userGoogleId).not.toBe(null)
  expect((await ask(browser, ada.password)).statusCode).toBe(200)
  expect((await userOf(server, ada.username))?.userGoogleId).toBe(null)
  expect(await audited(server)).toContainEqual({ auditResult: expect.stringMatching(/unlinked$/), auditActor: userId, auditTarget: userId })
  const mails = await server.deliver()
  expect(mails.map(({ to, subject }) => [to, subject])).toContainEqual([ada.username, expect.stringContaining('Google account unlinked')])
  const other = server.openBrowser()
  expect(await isRefusal(await signInAtProvider(other, idp), other)).toBe(true)
})

test('the last way to sign in cannot be removed', async () => {
  const { idp, server } = await startWithProvider({ as: ['GOOGLE', 'PAK'], env: { GATEHOUSE_SSO_PROVISION: 'on' } })
  const browser = server.openBrowser()
  await finishSignIn(browser, await signInAtProvider(browser, idp))
  const unlink = (provider: string) => browser.send('POST', accountRoutes.userProviderUnlink.path, { provider, password: '' })
  expect((await unlink('Google')).statusCode).toBe(409)
  // Unlinking a provider that is not linked changes nothing and sends no mail.
  expect((await unlink('Pak')).statusCode).toBe(200)
  expect(await server.deliver()).toEqual([])
  expect(await userOf(server, ada.username)).toMatchObject({ userGoogleId: `${idp.issuer} ${adaAtProvider.sub}` })
  expect((await linkIdentity(browser, idp, adaAtProvider.sub, '', 'pak')).headers.location).toBe('/account')
  expect((await unlink('Google')).statusCode).toBe(200)
  expect((await unlink('Pak')).statusCode).toBe(409)
  expect(await userOf(server, ada.username)).toMatchObject({ userGoogleId: null, userPakId: `${idp.issuer} ${adaAtProvider.sub}` })
})

test('after concurrent unlinks, one way to sign in remains', async () => {
  const { idp, server } = await startWithProvider({ as: ['GOOGLE', 'PAK'], env: { GATEHOUSE_SSO_PROVISION: 'on' } })
  const browser = server.openBrowser()
  await finishSignIn(browser, await signInAtProvider(browser, idp))
  await linkIdentity(browser, idp, adaAtProvider.sub, '', 'pak')
  const unlink = (provider: string) => browser.send('POST', accountRoutes.userProviderUnlink.path, { provider, password: '' })
  const answers = await Promise.all(['Google', 'Pak', 'Google', 'Pak'].map(unlink))
  for (const { statusCode } of answers) expect([200, 409]).toContain(statusCode)
  const user = await userOf(server, ada.username)
  expect([user?.userGoogleId, user?.userPakId].filter(id => id !== null)).toHaveLength(1)
})

test('without a password, linking and unlinking require a sign-in within the last 15 minutes', async () => {
  const { idp, server } = await startWithProvider({ as: ['GOOGLE', 'PAK'], env: { GATEHOUSE_SSO_PROVISION: 'on' } })
  const browser = server.openBrowser()
  await finishSignIn(browser, await signInAtProvider(browser, idp))
  server.clock.advance(limits.session.fresh)
  for (const route of [accountRoutes.userProviderLink, accountRoutes.userProviderUnlink])
    expect((await browser.send('POST', route.path, { provider: 'Pak', password: '' })).statusCode).toBe(403)
})

test('a second identity at a provider does not replace the first', async () => {
  const { idp, server } = await startWithProvider()
  await server.addUser()
  const browser = server.openBrowser()
  await browser.enter()
  const answers = []
  for (const sub of ['one', 'another']) {
    idp.users.set(sub, { sub })
    const { location } = await browser.call(accountRoutes.userProviderLink, { provider: 'Google', password: ada.password })
    answers.push((await returnFromProvider(browser, await idp.visit(location, sub))).statusCode)
  }
  expect(answers).toEqual([303, 409])
  const { userGoogleId } = await server.db.selectFrom('users').select('userGoogleId').executeTakeFirstOrThrow()
  expect(userGoogleId).toMatch(/ one$/)
})

test('an identity linked by two users at once belongs to one', async () => {
  const { idp, server } = await startWithProvider()
  await server.addUser()
  await server.addUser(grace)
  for (let round = 0; round < 5; round++) {
    await server.db.updateTable('users').set({ userGoogleId: null }).execute()
    const sub = `wanted-${round}`
    idp.users.set(sub, { sub })
    const ways = await Promise.all(
      [ada, grace].map(async user => {
        const browser = server.openBrowser()
        await browser.enter(user)
        const { location } = await browser.call(accountRoutes.userProviderLink, { provider: 'Google', password: user.password })
        return { browser, back: await idp.visit(location, sub) }
      }),
    )
    const answers = await Promise.all(ways.map(({ browser, back }) => returnFromProvider(browser, back)))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([303, 409])
  }
})

test('A13: links nothing if a reset is forced during the provider’s sign-in', async () => {
  const { idp, server } = await startWithProvider()
  await server.addUser()
  const browser = server.openBrowser()
  await browser.enter()
  const { location } = await browser.call(accountRoutes.userProviderLink, { provider: 'Google', password: ada.password })
  const back = await idp.visit(location, adaAtProvider.sub)
  await server.db.updateTable('users').set({ userForcedReset: 1 }).execute()
  expect((await returnFromProvider(browser, back)).statusCode).toBe(400)
  expect((await userOf(server, ada.username))?.userGoogleId).toBe(null)
})

test('linking requires a recent sign-in besides the password', async () => {
  const { server } = await startWithProvider()
  await server.addUser()
  const browser = server.openBrowser()
  await browser.enter()
  server.clock.advance(minutes(15))
  const late = await browser.send('POST', accountRoutes.userProviderLink.path, { provider: 'Google', password: ada.password })
  expect([late.statusCode, late.json().error]).toEqual([403, expect.stringContaining('Sign in again')])
})

test('unlinking signs out sessions started by that identity', async () => {
  const { idp, server, browser } = await startLinked()
  const other = server.openBrowser()
  await finishSignIn(other, await signInAtProvider(other, idp))
  await browser.call(accountRoutes.userProviderUnlink, { provider: 'Google', password: ada.password })
  expect([await isSignedIn(browser), await isSignedIn(other)]).toEqual([true, false])
})
