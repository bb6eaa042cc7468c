import { accountRoutes, approverRoutes, pushRoutes } from '@gatehouse/wire'
import { claimOf, makeDevice } from '../factors/device.ts'
import type { Client, Credentials, Deployment } from './deployment.ts'

/** A call that must succeed. @returns its body */
const callSuccessfully = async (client: Client, path: string, body: unknown) => {
  const answer = await client.post(path, body)
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return Object(answer.body)
}

/** Starts the enrollment of a phone for a signed-in user, with a key for it. */
export const beginDevice = async (client: Client, user: Credentials) => {
  const { factorUUID, link } = await callSuccessfully(client, accountRoutes.userFactorAddPush.path, {
    factorCreationRequestIdentity: user.username,
    factorCreationRequestFriendlyName: 'Phone',
    factorCreationRequestFactorType: 'Push',
  })
  const device = await makeDevice(new URL(link).origin)
  return { device, factorUUID, enrolment: { ...claimOf(link), publicKey: device.publicKey, alg: 'ES256', friendlyName: '' } }
}

/** Enrolls and verifies a phone for a signed-in user. */
export const enrollDeviceIn = async (deployment: Deployment, client: Client, user: Credentials) => {
  const { device, factorUUID, enrolment } = await beginDevice(client, user)
  const phone = deployment.open()
  const { userId } = await callSuccessfully(phone, approverRoutes.enrol.path, enrolment)
  const progress = () => callSuccessfully(client, accountRoutes.userFactorPushProgress.path, { factorUUID })
  const prove = async () =>
    device.prove(factorUUID, (await callSuccessfully(phone, approverRoutes.nonce.path, {})).nonce, approverRoutes.pending.path)
  const pending = async () => (await callSuccessfully(phone, approverRoutes.pending.path, await prove())).pending
  const approval = (challengeUUID: string, number: string) => device.answer({ factorUUID, userId, challengeUUID }, 'Approve', number)
  const approve = async (challengeUUID: string, number: string) =>
    callSuccessfully(phone, approverRoutes.answer.path, await approval(challengeUUID, number))
  const { contents } = await progress()
  await approve((await pending()).challengeUUID, contents.challengeNumber)
  if ((await progress()).tag !== 'Verified') throw new Error('the device was not verified')
  return { device, factorUUID, prove, pending, approval, approve }
}

/** Requests an approval on the user's phones, from the waiting browser. */
export const requestApprovalIn = async (client: Client, user: Credentials): Promise<{ challengeUUID: string; challengeNumber: string }> =>
  (await callSuccessfully(client, pushRoutes.pushChallenge.path, { otpUsername: user.username, otpPassword: user.password })).contents
