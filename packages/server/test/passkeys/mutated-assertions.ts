import { passkeyRoutes } from '@gatehouse/wire'
import fc from 'fast-check'
import { expect } from 'vitest'
import { createPasskeyCeremonies } from '../../src/factors/passkey/ceremonies.ts'
import { createKeyring } from '../../src/keys/keyring.ts'
import { createMail } from '../../src/mail/mail.ts'
import { createPasskeyAuthentication } from '../../src/sign-in/authenticate-passkey.ts'
import { createServerLanguages } from '../../src/texts/server-languages.ts'
import { startServer } from '../support/harness.ts'
import { flags, makePasskeyDevice } from '../support/passkey-device.ts'
import { addPasskey, optionsFor, origin } from '../support/passkey-users.ts'
import { freeHasher, spoil } from './mutations.ts'

type Assertion = ReturnType<ReturnType<typeof makePasskeyDevice>['get']>

/**
 * Sends assertions that are wrong in one or more ways: other origin, RP ID, challenge, purpose, user, key, flags or type, parts of other
 * assertions, and changed or truncated bytes. None may sign in, and none may cause a 5xx.
 */
export const tryMutatedAssertions = async (runs: number, seed: number) => {
  const server = await startServer({ hasher: freeHasher })
  const people = ['ada@example.com', 'eve@example.com'].map(username => ({ username, password: 'correct horse battery' }))
  const holders = []
  for (const user of people) {
    await server.addUser(user)
    const browser = server.openBrowser()
    await browser.enter(user)
    const device = makePasskeyDevice(origin)
    await addPasskey(browser, device)
    holders.push({ browser, device })
  }
  const [own, other] = holders
  if (!own || !other) throw new Error('there are two users')
  const browser = server.openBrowser()
  const stranger = server.openBrowser()
  const options = await optionsFor(browser, 'SignIn')
  const elsewhere = await optionsFor(stranger, 'SignIn')
  const reauthentication = await optionsFor(browser, 'Reauthentication')
  const used = own.device.get(await optionsFor(browser, 'SignIn'))
  expect((await browser.call(passkeyRoutes.passkeySignIn, { credential: used })).tag).toBe('AuthSuccessful')

  // Each of these assertions has one fault.
  const right = own.device.get(options)
  const wrongs: Assertion[] = [
    own.device.get(elsewhere),
    own.device.get(reauthentication),
    used,
    own.device.get(options, { origin: 'https://evil.example' }),
    own.device.get(options, { rpId: 'evil.example' }),
    own.device.get(options, { challenge: 'bm90LW91cnM' }),
    own.device.get(options, { flags: flags.userPresent }),
    own.device.get(options, { flags: 0 }),
    own.device.get(options, { flags: flags.userPresent | flags.userVerified }),
    own.device.get(options, { type: 'webauthn.create' }),
    own.device.get(options, { crossOrigin: true }),
    own.device.get(options, { userHandle: null }),
    own.device.get(options, { userHandle: other.device.held[0]?.userHandle ?? '' }),
    { ...own.device.get(options), id: other.device.held[0]?.id ?? '', rawId: other.device.held[0]?.id ?? '' },
    { ...right, response: { ...right.response, signature: other.device.get(options).response.signature } },
    { ...right, response: { ...right.response, authenticatorData: own.device.get(options, { counter: 7 }).response.authenticatorData } },
    { ...right, response: { ...right.response, clientDataJSON: own.device.get(elsewhere).response.clientDataJSON } },
  ]
  const outcomes = new Map<string, number>()
  const send = async (credential: Assertion) => {
    const response = await browser.send('POST', passkeyRoutes.passkeySignIn.path, { credential })
    const { tag = response.statusCode } = response.json()
    outcomes.set(String(tag), (outcomes.get(String(tag)) ?? 0) + 1)
    if (tag !== 'AuthFailureFailedLogin' && response.statusCode !== 400)
      throw new Error(`${JSON.stringify(credential)} gave ${response.statusCode} ${response.body}`)
  }
  for (const wrong of wrongs) await send(wrong)
  // The same check without HTTP takes a third of the time. One assertion in four goes through HTTP.
  const now = () => server.clock.at
  const keyring = createKeyring(server.config.masterKeys)
  const relyingParty = { rpId: 'localhost', origins: [origin] }
  const { verifyPasskey } = createPasskeyAuthentication({
    db: server.db,
    ceremonies: createPasskeyCeremonies({ relyingParty, keyring, productName: 'Gatehouse', now }),
    mail: createMail({ keyring, now, administrators: [], texts: createServerLanguages([], 'en') }),
    now,
  })
  const visitor = {
    ...{
      address: '192.0.2.7',
      userAgent: 'Test/1.0',
      requestId: 'test',
      browser: undefined,
      ticket: undefined,
      push: undefined,
      mailWait: undefined,
    },
    passkey: browser.jar.get('gatehouse-passkey'),
    knowsPasskeys: true,
  }
  const step = { purpose: 'SignIn', event: 'passkey-sign-in' } as const
  // The challenge belongs to this visitor, so the correct assertion passes.
  expect(await verifyPasskey(right, step, visitor)).toMatchObject({ userId: expect.any(String) })
  const check = async (credential: Assertion) => {
    const failure = await verifyPasskey(credential, step, visitor)
    if (typeof failure !== 'string') throw new Error(`${JSON.stringify(credential)} passed`)
    outcomes.set(failure, (outcomes.get(failure) ?? 0) + 1)
  }
  const part = fc.constantFrom('clientDataJSON', 'authenticatorData', 'signature', 'userHandle', 'id' as const)
  const change = fc.record({ part, how: fc.constantFrom('flip', 'cut', 'add' as const), at: fc.nat(2000), by: fc.nat(254) })
  const samples = fc.sample(fc.tuple(fc.integer({ min: -1, max: wrongs.length - 1 }), fc.array(change, { minLength: 1, maxLength: 3 })), {
    numRuns: runs - wrongs.length,
    seed,
  })
  const batch: Assertion[] = []
  for (const [which, changes] of samples) {
    const credential = structuredClone(wrongs[which] ?? right)
    const before = JSON.stringify(credential)
    for (const { part, how, at, by } of changes) {
      if (part === 'id') credential.id = credential.rawId = spoil(credential.id, how, at, by)
      else credential.response[part] = spoil(credential.response[part] ?? 'AAAA', how, at, by)
    }
    // A change may undo another change, or the original fault.
    if ([before, JSON.stringify(right)].includes(JSON.stringify(credential))) continue
    batch.push(credential)
    if (batch.length === 24) await Promise.all(batch.splice(0).map((one, i) => (i % 4 === 0 ? send : check)(one)))
  }
  await Promise.all(batch.map(send))
  // The unchanged assertion still signs in, so the server refused the others for their changes.
  expect((await browser.call(passkeyRoutes.passkeySignIn, { credential: right })).tag).toBe('AuthSuccessful')
  return outcomes
}
