import { routes } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { examineProviders } from '../../src/doctor/single-sign-on.ts'
import { minutes } from '../../src/limits.ts'
import { mailedLink } from '../credentials/mailed-link.ts'
import { ada, startServer } from '../support/harness.ts'
import {
  adaAtProvider,
  audited,
  finishSignIn,
  isRefusal,
  page,
  results,
  returnFromProvider,
  signInAtProvider,
  startAtProvider,
  startLinked,
  startWithProvider,
} from './sso-sign-in.ts'

// Single sign-on with a real OpenID provider that can be made to misbehave.

test.each(['', 'google'])('a user with a forced reset must reset the password first, with GATEHOUSE_SSO_TRUSTED=%j', async trusted => {
  const { idp, server, userId } = await startLinked({ env: { GATEHOUSE_SSO_TRUSTED: trusted } })
  await server.db.updateTable('users').set({ userForcedReset: 1 }).where('userId', '=', userId).execute()
  idp.users.set(adaAtProvider.sub, { ...adaAtProvider, amr: ['mfa'] })
  const browser = server.openBrowser()
  const answer = await signInAtProvider(browser, idp)
  expect(await isRefusal(answer, browser)).toBe(true)
  expect(answer.body).toContain('Please reset your password.')
  expect(browser.jar.has('gatehouse-ticket')).toBe(false)
})

test('LG-01: audits each sign-in with a provider, successful or not, and each link', async () => {
  const { idp, server, userId } = await startLinked()
  const browser = server.openBrowser()
  await finishSignIn(browser, await signInAtProvider(browser, idp))
  await returnFromProvider(browser, new URL('http://localhost:8080/auth/sso/google/callback?state=x&code=y'))
  idp.users.set('nobody', { sub: 'nobody' })
  await signInAtProvider(browser, idp, 'nobody')
  const rows = await audited(server)
  expect(rows.map(row => row.auditResult).sort()).toEqual(
    ['google: linked', 'google: over', 'google: successful', 'google: unknown-identity'].sort(),
  )
  expect(rows.find(row => row.auditResult === 'google: successful')).toMatchObject({ auditActor: userId, auditTarget: userId })
  expect(await results(server, 'session-started')).toHaveLength(2)
})

test('DP-02: deletes abandoned journeys', async () => {
  const { server } = await startWithProvider()
  for (let i = 0; i < 3; i++) await startAtProvider(server.openBrowser())
  await server.backgroundJobs.purge()
  expect(await server.db.selectFrom('sso_journeys').selectAll().execute()).toHaveLength(3)
  server.clock.advance(minutes(10))
  await server.backgroundJobs.purge()
  expect(await server.db.selectFrom('sso_journeys').selectAll().execute()).toEqual([])
})

test('CC-01: a callback opened twenty times at once signs in once', async () => {
  const { idp, server } = await startLinked({ slots: 8 })
  const browser = server.openBrowser()
  const back = await idp.visit((await startAtProvider(browser)).headers.location, adaAtProvider.sub)
  const cookies = new Map(browser.jar)
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => {
      const one = server.openBrowser()
      for (const [name, value] of cookies) one.jar.set(name, value)
      return returnFromProvider(one, back)
    }),
  )
  expect(answers.filter(({ statusCode }) => statusCode === 303)).toHaveLength(1)
  expect(answers.every(({ statusCode }) => statusCode < 500)).toBe(true)
})

test('a one-time link requested for a linked provider starts the sign-in at that provider', async () => {
  const { idp, server } = await startLinked()
  const browser = server.openBrowser()
  await browser.call(routes.magiclinkSend, [{ email: ada.username, redirect: { tag: 'RedirectSSOLogin', contents: 'Google' } }])
  const [, path = ''] = (await server.deliver()).map(({ text }) => /http:\/\/localhost:8080(\/auth\/\S*)/.exec(text)).find(Boolean) ?? []
  expect(path).toBe('/auth/page/plow/ssoLogin?provider=google')
  const out = await browser.get(path, page)
  await finishSignIn(browser, await returnFromProvider(browser, await idp.visit(out.headers.location, adaAtProvider.sub)))
})

test('doctor lists each provider’s redirect URI and whether the provider is reachable', async () => {
  const { idp, server } = await startWithProvider({
    as: ['GOOGLE', 'AZURE'],
    env: { GATEHOUSE_PUBLIC_URL: 'https://example.com/sign-in', GATEHOUSE_SSO_TRUSTED: 'azure' },
  })
  const says = async () => (await examineProviders(server.config)).map(({ level, says }) => `${level}: ${says}`)
  expect(await says()).toEqual([
    'ok: Register this redirect URI at Google: https://example.com/sign-in/auth/sso/google/callback',
    `warning: Google answers at ${idp.issuer} and confirms this issuer. It uses http: fine for trying out, not for production.`,
    'ok: Register this redirect URI at Microsoft: https://example.com/sign-in/auth/sso/azure/callback',
    `warning: Microsoft answers at ${idp.issuer} and confirms this issuer. It uses http: fine for trying out, not for production.`,
    'ok: Only linked accounts can sign in with a provider (GATEHOUSE_SSO_PROVISION=off). The second factor of azure is accepted here (GATEHOUSE_SSO_TRUSTED).',
  ])
  idp.faults.metadata = metadata => ({ ...metadata, issuer: 'https://accounts.google.com' })
  expect((await says())[1]).toMatch(/^problem: Google cannot be reached at /)
  await idp.stop()
  expect((await says())[1]).toMatch(/^problem: Google cannot be reached at .*ECONNREFUSED/)
  const without = await startServer()
  expect((await examineProviders(without.config)).map(({ level }) => level)).toEqual(['ok'])
})

test('a user with a forced reset and no password can request a link to set a password', async () => {
  const { server, userId } = await startLinked()
  await server.db.updateTable('users').set({ userPassword: null, userForcedReset: 1 }).where('userId', '=', userId).execute()
  await server.openBrowser().call(routes.sendPasswordResetEmail, { useremail: ada.username })
  server.clock.advance(1)
  expect(mailedLink(await server.deliver(), 'new-password').token).toHaveLength(43)
})
