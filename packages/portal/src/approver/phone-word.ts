import type { Reply } from '@gatehouse/sign-in'
import { type PushAnswerRequest, type PushProofRequest, pushAnswer, pushHello } from '@gatehouse/wire'
import type { ApproverApi } from './approver-api.ts'
import type { Decision } from './desk-state.ts'
import type { PhoneAccount } from './phone-accounts.ts'
import { sign } from './phone-key.ts'

/** The device's word that it is this account's. */
export const prove = async ({ factorUUID, origin, privateKey }: PhoneAccount, nonce: string): Promise<PushProofRequest> => ({
  factorUUID,
  nonce,
  signature: await sign(privateKey, pushHello({ nonce, factorUUID, origin })),
})

/** Makes a call that wants that word. */
export const withProof = async <T>(
  api: Pick<ApproverApi, 'nonce'>,
  account: PhoneAccount,
  call: (proof: PushProofRequest) => Promise<Reply<T>>,
): Promise<Reply<T>> => {
  const nonce = await api.nonce()
  return nonce.ok ? call(await prove(account, nonce.value.nonce)) : nonce
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
