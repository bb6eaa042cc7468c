import { expect, test } from 'vitest'
import { signAnswer, withProof } from './device-proof.ts'
import { makeKey } from './phone-key.ts'

const enrolled = {
  factorUUID: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
  userId: 'u_1',
  username: 'ada@example.com',
  origin: 'https://gate.example',
  productName: 'Gatehouse',
}

/** Verifies like a server, which knows only the public key. */
const isSigned = async (publicKey: string, text: string, signature: string) => {
  const of = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('spki', Buffer.from(publicKey, 'base64url'), of, false, ['verify'])
  return crypto.subtle.verify(of, key, Buffer.from(signature, 'base64url'), new TextEncoder().encode(text))
}

test('PU-04: keeps the private key unreadable, and signs every field of an answer and of a proof with it', async () => {
  const { privateKey, publicKey } = await makeKey()
  expect(privateKey.extractable).toBe(false)
  await expect(crypto.subtle.exportKey('pkcs8', privateKey)).rejects.toThrow()

  const account = { ...enrolled, privateKey }
  const approved = await signAnswer(account, 'challenge', 'Approve', '012345')
  expect(approved).toMatchObject({ factorUUID: enrolled.factorUUID, challengeUUID: 'challenge', number: '012345', decision: 'Approve' })
  const said = 'gatehouse-push-answer\nchallenge\n012345\nu_1\nhttps://gate.example\nApprove'
  expect(await isSigned(publicKey, said, approved.signature)).toBe(true)
  expect(await isSigned(publicKey, said.replace('012345', '012346'), approved.signature)).toBe(false)

  const denied = await signAnswer(account, 'challenge', 'Deny')
  expect(denied).not.toHaveProperty('number')
  expect(await isSigned(publicKey, 'gatehouse-push-answer\nchallenge\n-\nu_1\nhttps://gate.example\nDeny', denied.signature)).toBe(true)

  const api = { nonce: () => Promise.resolve({ ok: true, value: { nonce: 'once' } } as const) }
  const proof = await withProof(api, account, { call: '/push/pending' }, async proof => ({ ok: true, value: proof }))
  const { signature } = proof.ok ? proof.value : { signature: '' }
  const lines = ['gatehouse-push-call', 'once', enrolled.factorUUID, 'https://gate.example', '/push/pending']
  // SHA-256 of an empty body.
  const call = [...lines, '47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU'].join('\n')
  expect(await isSigned(publicKey, call, signature)).toBe(true)
  expect(await isSigned(publicKey, call.replace('/push/pending', '/push/leave'), signature)).toBe(false)
})
