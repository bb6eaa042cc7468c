import type { Reply } from '@gatehouse/sign-in'
import { type PushAnswerRequest, type PushProofRequest, pushAnswer, pushCall } from '@gatehouse/wire'
import type { ApproverApi } from './approver-api.ts'
import type { Decision } from './approver-state.ts'
import type { PhoneAccount } from './phone-accounts.ts'
import { hash, sign } from './phone-key.ts'

/** What a proof is for: the path of a call, and what its body says beside the proof. */
type Purpose = { call: string; body?: string }

/** The device's word that it is this account's and makes this one call. The server takes it once. */
export const prove = async (
  { factorUUID, origin, privateKey }: PhoneAccount,
  nonce: string,
  { call, body = '' }: Purpose,
): Promise<PushProofRequest> => ({
  factorUUID,
  nonce,
  signature: await sign(privateKey, pushCall({ nonce, factorUUID, origin, call, bodyHash: await hash(body) })),
})

/** Makes a call that wants that word. */
export const withProof = async <T>(
  api: Pick<ApproverApi, 'nonce'>,
  account: PhoneAccount,
  purpose: Purpose,
  send: (proof: PushProofRequest) => Promise<Reply<T>>,
): Promise<Reply<T>> => {
  const nonce = await api.nonce()
  return nonce.ok ? send(await prove(account, nonce.value.nonce, purpose)) : nonce
}

/** The device's answer to a question. */
export const answerOf = async (
  { factorUUID, userId, origin, privateKey }: PhoneAccount,
  challengeUUID: string,
  decision: Decision,
  number?: string,
): Promise<PushAnswerRequest> => ({
  factorUUID,
  challengeUUID,
  ...(number !== undefined && { number }),
  decision,
  signature: await sign(privateKey, pushAnswer({ challengeUUID, number, userId, origin, decision })),
})
