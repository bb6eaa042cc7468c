import { routes } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { vouchedIdentities } from '../../src/db/migrations/0016-vouched-identities.ts'
import { seconds } from '../../src/limits.ts'
import { adaAtProvider, finishSignIn, linkIdentity, signInAtProvider } from '../sso/sso-sign-in.ts'
import { codeAt, enroll, offered, secretOf } from '../support/authenticator.ts'
import { ada } from '../support/harness.ts'
import { byTicket, enters, enterWithCode, mallory, plant, skip, startTrusting } from './planting-attacker.ts'

// `npm test` runs this file on both databases: no other file vouches for identities of two providers, or migrates them.

test.each([
  ['Pak', 'pak', 'PAK'],
  ['Microsoft', 'azure', 'AZURE'],
] as const)('MF-12, OI-06: setting up the first factor during a sign-in with %s vouches for that identity only', async (_, name, as) => {
  const started = await startTrusting({ GATEHOUSE_SSO_TRUSTED: `google,${name}` }, ['GOOGLE', as])
  const { idp, server } = started
  await server.addUser()
  await plant(started)
  const before = server.openBrowser()
  await skip(before)
  await linkIdentity(before, idp, adaAtProvider.sub, ada.password, name)
  // This time the provider reports no factor, so Gatehouse offers to set one up.
  idp.users.set(adaAtProvider.sub, adaAtProvider)
  const owner = server.openBrowser()
  await signInAtProvider(owner, idp, adaAtProvider.sub, name)
  const factor = offered(await owner.call(routes.continueSignIn, {}))
  const otpVerification = await codeAt(secretOf(factor), server.clock.at)
  await owner.call(routes.setupOTP, { ...byTicket, otpFactorUUID: factor.factorUUID, otpVerification })
  idp.users.set(adaAtProvider.sub, { ...adaAtProvider, amr: ['mfa'] })
  const again = server.openBrowser()
  await finishSignIn(again, await signInAtProvider(again, idp, adaAtProvider.sub, name))
  expect(await enters(started, mallory.sub)).toBe(false)
})

test('MF-12, OI-06: after the migration, an identity linked earlier requires the second factor once', async () => {
  const started = await startTrusting()
  const { idp, server } = started
  await server.addUser()
  const owner = server.openBrowser()
  const { secret } = await enroll(owner, server.clock)
  await linkIdentity(owner, idp)
  server.clock.advance(seconds(30))
  const { schema } = server.db
  for (const name of ['userAzureVouched', 'userGoogleVouched', 'userPakVouched'])
    await schema.alterTable('users').dropColumn(name).execute()
  for (const name of ['ticketProvider', 'ticketIdentity']) await schema.alterTable('tickets').dropColumn(name).execute()
  await vouchedIdentities.up(server.db)
  expect(await enters(started, adaAtProvider.sub)).toBe(false)
  expect(await enterWithCode(started, adaAtProvider.sub, secret)).toBe('AuthSuccessful')
  expect(await enters(started, adaAtProvider.sub)).toBe(true)
})
