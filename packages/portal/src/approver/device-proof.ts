import type { Reply } from '@gatehouse/sign-in'
import { type PushAnswerRequest, type PushProofRequest, pushAnswer, pushCall } from '@gatehouse/wire'
import type { ApproverApi } from './approver-api.ts'
import type { Decision } from './approver-state.ts'
import type { PhoneAccount } from './phone-accounts.ts'
import { hash, sign } from './phone-key.ts'

/** The request that a proof signs: the path of a call, and the rest of its body. */
type Purpose = { call: string; body?: string }

/** Proves that this phone belongs to the account and makes this one call. The server accepts a proof once. */
export const prove = async (
  { factorUUID, origin, privateKey }: PhoneAccount,
  nonce: string,
  { call, body = '' }: Purpose,
): Promise<PushProofRequest> => ({
  factorUUID,
  nonce,
  signature: await sign(privateKey, pushCall({ nonce, factorUUID, origin, call, bodyHash: await hash(body) })),
})

/** Makes a call that requires a proof. */
export const withProof = async <T>(
  api: Pick<ApproverApi, 'nonce'>,
  account: PhoneAccount,
  purpose: Purpose,
  send: (proof: PushProofRequest) => Promise<Reply<T>>,
): Promise<Reply<T>> => {
  const nonce = await api.nonce()
  return nonce.ok ? send(await prove(account, nonce.value.nonce, purpose)) : nonce
}

/** The signed answer to a request. */
export const signAnswer = async (
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
