import { randomUUID } from 'node:crypto'
import type { Db } from '../../db/schema.ts'
import { limits } from '../../limits.ts'
import * as challenges from '../challenges.store.ts'
import { listVerifiedTotp, type TotpFactor } from './totp.store.ts'

/** Opens a challenge to the authenticator app that the user used last, if they have one. */
export const openTotpChallenge = async (tx: Db, userId: string, now: number): Promise<void> =>
  openFor(tx, userId, await listVerifiedTotp(tx, userId), now)

const openFor = async (tx: Db, challengeIdentity: string, [factor]: readonly TotpFactor[], now: number) => {
  if (!factor) return
  const asked = {
    challengeUUID: randomUUID(),
    challengeIdentity,
    challengeFactorUUID: factor.factorUUID,
    challengeFactorType: 'TOTP',
    challengeExpires: now + limits.challenge.lifetime,
  } as const
  await challenges.openChallenge(tx, asked, now)
}

/**
 * Stores the answer in the user's open TOTP challenge. If none is open any more, opens a new one for the answer.
 * @param verified the user's authenticator apps, the most recently used first
 */
export const answerTotpChallenge = async (
  tx: Db,
  challengeIdentity: string,
  verified: readonly TotpFactor[],
  answer: challenges.Answer,
  now: number,
): Promise<void> => {
  const asked = { challengeIdentity, challengeFactorType: 'TOTP' } as const
  if (await challenges.answerChallenge(tx, asked, answer, now)) return
  await openFor(tx, challengeIdentity, verified, now)
  await challenges.answerChallenge(tx, asked, answer, now)
}
