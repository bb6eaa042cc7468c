import { createHash } from 'node:crypto'
import { type PasskeyAttestation, passkeyRoutes } from '@gatehouse/wire'
import fc from 'fast-check'
import { expect } from 'vitest'
import { createPasskeyCeremonies } from '../../src/factors/passkey/ceremonies.ts'
import { createKeyring } from '../../src/keys/keyring.ts'
import { startServer } from '../support/harness.ts'
import { flags, makePasskeyDevice } from '../support/passkey-device.ts'
import { optionsFor, origin } from '../support/passkey-users.ts'
import { freeHasher, spoil } from './mutations.ts'

const bytesOf = (text: string) => Buffer.from(text, 'base64url')

/** The authenticator data of an attestation object that this test's device made and that may have been changed (WebAuthn Level 3, §6.1). */
const read = ({ response }: PasskeyAttestation, challenge: string) => {
  const client = JSON.parse(bytesOf(response.clientDataJSON).toString())
  const object = bytesOf(response.attestationObject)
  const key = object.indexOf('authData') + 'authData'.length
  // The head of the byte string has two bytes.
  const data = object.subarray(key + 2)
  const [bits = 0] = data.subarray(32)
  const length = data.readUInt16BE(53)
  return {
    isOurs: client.type === 'webauthn.create' && client.challenge === challenge && client.origin === origin && client.crossOrigin !== true,
    isForHere: data.subarray(0, 32).equals(createHash('sha256').update('localhost').digest()),
    isVerified: (bits & flags.userPresent) !== 0 && (bits & flags.userVerified) !== 0 && (bits & flags.attested) !== 0,
    id: data.subarray(55, 55 + length).toString('base64url'),
  }
}

/**
 * Sends new passkeys that are wrong in one or more ways: other origin, RP ID, challenge, purpose, user, flags or type, parts of other
 * messages, and changed or truncated bytes. No attestation is signed, so changing the key, the model or the counter only makes
 * another passkey, which is no attack. The server must refuse everything else, and nothing may cause a 5xx.
 * @returns how often the server gave each answer
 */
export const tryMutatedRegistrations = async (runs: number, seed: number) => {
  const server = await startServer({ hasher: freeHasher })
  const [browser, other] = [server.openBrowser(), server.openBrowser()]
  for (const [user, at] of [
    ['ada@example.com', browser],
    ['eve@example.com', other],
  ] as const) {
    const account = { username: user, password: 'correct horse battery' }
    await server.addUser(account)
    await at.enter(account)
  }
  const device = makePasskeyDevice(origin)
  const options = await browser.call(passkeyRoutes.passkeyAddOptions, {})
  const forOther = await other.call(passkeyRoutes.passkeyAddOptions, {})
  const { challenge: ofSignIn } = await optionsFor(browser, 'SignIn')
  const right = device.create(options)
  const wrongs: PasskeyAttestation[] = [
    device.create(forOther),
    device.create({ ...options, challenge: ofSignIn }),
    device.create(options, { origin: 'https://evil.example' }),
    device.create(options, { rpId: 'evil.example' }),
    device.create(options, { challenge: 'bm90LW91cnM' }),
    device.create(options, { flags: flags.userPresent }),
    device.create(options, { flags: flags.userVerified }),
    device.create(options, { type: 'webauthn.get' }),
    device.create(options, { crossOrigin: true }),
    { ...right, id: device.create(options).id },
    { ...right, response: { ...right.response, clientDataJSON: device.create(forOther).response.clientDataJSON } },
  ]
  const answers = new Map<string, number>()
  const count = (answer: string) => answers.set(answer, (answers.get(answer) ?? 0) + 1)
  const send = async (credential: PasskeyAttestation) => {
    const { statusCode, body } = await browser.send('POST', passkeyRoutes.passkeyAdd.path, { credential })
    if (statusCode !== 403) throw new Error(`${JSON.stringify(credential)} gave ${statusCode} ${body}`)
    count(String(statusCode))
  }
  for (const wrong of wrongs) await send(wrong)
  // Use the challenge up, so the call refuses even passkeys that the checks accept.
  expect((await browser.send('POST', passkeyRoutes.passkeyAdd.path, { credential: right })).statusCode).toBe(200)

  const now = () => server.clock.at
  const keyring = createKeyring(server.config.masterKeys)
  const relyingParty = { rpId: 'localhost', origins: [origin] }
  const { verifyAttestation, verifyAssertion } = createPasskeyCeremonies({ relyingParty, keyring, productName: 'Gatehouse', now })
  const isChallenge = (challenge: string) => challenge === options.challenge
  const request = { challenge: options.challenge, timeout: 1, rpId: 'localhost', userVerification: 'required' } as const
  const check = async (credential: PasskeyAttestation) => {
    const made = await verifyAttestation(credential, isChallenge, { automatic: false })
    if (!made) return count('refused')
    const { isOurs, isForHere, isVerified, id } = read(credential, options.challenge)
    if (!isOurs || !isForHere || !isVerified || id !== credential.id || id !== made.passkeyCredentialId)
      throw new Error(`${JSON.stringify(credential)} passed`)
    // A stored key that no assertion can match must not cause an error later.
    await verifyAssertion(device.get(request), made, isChallenge)
    return count('another passkey')
  }
  const part = fc.constantFrom('clientDataJSON', 'attestationObject', 'id' as const)
  const change = fc.record({ part, how: fc.constantFrom('flip', 'cut', 'add' as const), at: fc.nat(2000), by: fc.nat(254) })
  const samples = fc.sample(fc.tuple(fc.integer({ min: -1, max: wrongs.length - 1 }), fc.array(change, { minLength: 1, maxLength: 3 })), {
    numRuns: runs - wrongs.length,
    seed,
  })
  const batch: PasskeyAttestation[] = []
  for (const [which, changes] of samples) {
    const credential = structuredClone(wrongs[which] ?? right)
    for (const { part, how, at, by } of changes) {
      if (part === 'id') credential.id = credential.rawId = spoil(credential.id, how, at, by)
      else credential.response[part] = spoil(credential.response[part], how, at, by)
    }
    batch.push(credential)
    if (batch.length === 24) await Promise.all(batch.splice(0).map((one, i) => (i % 4 === 0 ? send : check)(one)))
  }
  await Promise.all(batch.map(send))
  expect(await server.db.selectFrom('passkeys').select('passkeyCredentialId').execute()).toEqual([{ passkeyCredentialId: right.id }])
  return answers
}
