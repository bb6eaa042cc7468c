import { accountRoutes, passkeyRoutes, routes } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { createKeyring } from '../../src/keys/keyring.ts'
import { codeAt } from '../support/authenticator.ts'
import { ada, type Browser } from '../support/harness.ts'
import { makePasskeyDevice } from '../support/passkey-device.ts'
import { addPasskey, optionsFor, origin, usePasskey } from '../support/passkey-users.ts'
import { requestApproval, signInByApproval } from './device.ts'
import { startWithDevice } from './enrolled-phone.ts'

const otp = { otpUsername: ada.username, otpPassword: ada.password }

test('after a restore without the master key, authenticator apps fail; passkeys, phones and recovery codes still work', async () => {
  const { server, computer, secret, phone, tryCode } = await startWithDevice()
  const device = makePasskeyDevice(origin)
  await addPasskey(computer, device)
  const { recoveryCodes } = await computer.call(accountRoutes.userRecoveryCodes, {})
  // As in a restored database: stored values are encrypted with a key that this server does not have.
  const [lost, { factorUUID, factorIdentity }] = [
    createKeyring(() => [Buffer.alloc(32, 7)]),
    await server.db.selectFrom('factors').selectAll().where('factorFactorType', '=', 'TOTP').executeTakeFirstOrThrow(),
  ]
  await server.db
    .updateTable('totp_bindings')
    .set({ factorTOTPBindingSecret: lost.seal('totp', secret, `${factorIdentity} ${factorUUID}`) })
    .execute()
  await server.db
    .updateTable('push_keys')
    .set({ pushKeyPrivate: lost.seal('push', 'a private key', 'vapid') })
    .execute()

  const signIn = async (by: (browser: Browser) => Promise<{ tag: string }>) => (await by(server.openBrowser())).tag
  expect(await tryCode(server.openBrowser(), await codeAt(secret, server.clock.at))).toMatchObject({
    tag: 'AuthFailureFactorError',
    contents: { contents: { contents: 'the secret of this factor cannot be read' } },
  })
  expect(await signIn(browser => usePasskey(browser, device))).toBe('AuthSuccessful')
  const verify = async (browser: Browser) => {
    const credential = device.get(await optionsFor(browser, 'SecondFactor'))
    return browser.call(passkeyRoutes.passkeyVerify, { ...otp, credential })
  }
  expect(await signIn(verify)).toBe('AuthSuccessful')
  expect(await signIn(browser => browser.call(routes.recoveryCode, { ...otp, otpRecoveryCode: recoveryCodes[0] ?? '' }))).toBe(
    'AuthSuccessful',
  )
  const approve = async (browser: Browser) => {
    const { challengeUUID, challengeNumber } = await requestApproval(browser)
    expect((await phone.pending()).pending?.challengeUUID).toBe(challengeUUID)
    await phone.answer(challengeUUID, 'Approve', challengeNumber)
    return signInByApproval(browser)
  }
  expect(await signIn(approve)).toBe('AuthSuccessful')
})
