import type { ChallengeRespondedReason, ChallengeStatus, PushOutcome } from '@gatehouse/wire'
import type { PushApi } from '../../sign-in/src/calls/push-api.ts'
import { passLogin, passLoginTo } from './login.ts'
import { answers, factorError, failedLogin, type Group, needsFactorOf, never, success, unreachable } from './scene.ts'
import { click, see } from './user-steps.ts'

const challengeUUID = 'f47ac10b-58cc-4372-a567-0e02b2c3d479'
const opened: PushOutcome = {
  tag: 'PushChallengeOpened',
  contents: { challengeUUID, challengeNumber: '012345', challengeExpires: '2046-11-20T03:02:00Z' },
}
const push = (of: Partial<PushApi> = {}): PushApi => ({
  pushChallenge: answers(opened),
  pushStatus: never,
  watchStatus: () => () => {},
  ...of,
})
/** The phone answers as soon as the browser listens. */
const answered = (challengeStatus: ChallengeStatus, challengeRespondedReason: ChallengeRespondedReason = { tag: 'ReasonNone' }) =>
  push({
    watchStatus: told => {
      told({ challengeUUID, challengeStatus, challengeRespondedReason })
      return () => {}
    },
  })
const toBoth = { getAuthTokenWithError: passLoginTo(needsFactorOf('Push', 'TOTP')) }
const toPhone = { getAuthTokenWithError: passLoginTo(needsFactorOf('Push')) }

const ask = async () => {
  await passLogin()
  await see('Verification Code')
  await click('Approve on your phone')
}
const toNumber = async () => {
  await ask()
  await see('Waiting for your phone')
}

/** The phone approval page in every state. */
export const phoneApproval: Group = {
  name: 'Phone approval',
  scenes: [
    {
      name: 'Beside the code',
      api: toBoth,
      act: async () => {
        await passLogin()
        await see('Approve on your phone')
      },
    },
    {
      name: 'Phones only, not asked',
      api: { ...toPhone, push: push() },
      act: async () => {
        await passLogin()
        await see('Show the number')
      },
    },
    {
      name: 'Asking',
      api: { ...toBoth, push: push({ pushChallenge: never }) },
      act: async () => {
        await ask()
        await see('Sending a request')
      },
    },
    { name: 'Pending', api: { ...toBoth, push: push() }, act: toNumber },
    {
      name: 'Wrong number',
      api: { ...toBoth, push: answered('Denied', { tag: 'InvalidCode' }) },
      act: async () => {
        await ask()
        await see('That number didn’t match')
      },
    },
    {
      name: 'Not me',
      api: { ...toBoth, push: answered('Denied', { tag: 'NotRequested' }) },
      act: async () => {
        await ask()
        await see('blocked on your phone')
      },
    },
    {
      name: 'Not needed',
      api: { ...toBoth, push: answered('Denied', { tag: 'NotNeeded' }) },
      act: async () => {
        await ask()
        await see('replaced this one')
      },
    },
    {
      name: 'Expired',
      api: { ...toPhone, push: answered('Expired') },
      act: async () => {
        await passLogin()
        await click('Show the number')
        await see('The request timed out')
      },
    },
    {
      name: 'Approved',
      api: { ...toBoth, push: answered('Approved') },
      act: async () => {
        await ask()
        await see('Approved, signing in')
      },
    },
    {
      name: 'Not taken',
      api: {
        ...toBoth,
        push: answered('Approved'),
        verifyOTP: answers(factorError({ tag: 'DatabaseError', contents: { tag: 'NoApprovedChallenges' } })),
      },
      act: async () => {
        await ask()
        await see('No approved challenges')
      },
    },
    {
      name: 'Refused',
      api: { ...toBoth, push: push({ pushChallenge: answers<PushOutcome>({ tag: 'AuthFailureFailedLogin' }) }) },
      act: async () => {
        await ask()
        await see('You have failed to login')
      },
    },
    {
      name: 'No network',
      api: { ...toBoth, push: push({ pushChallenge: unreachable }) },
      act: async () => {
        await ask()
        await click('More Info')
      },
    },
    {
      name: 'Verified',
      api: { ...toBoth, push: answered('Approved'), verifyOTP: answers(success) },
      act: async () => {
        await ask()
        await see('Verified, please wait')
      },
    },
    {
      name: 'Recovery code instead',
      api: { ...toPhone, push: push(), recoveryCode: answers(failedLogin) },
      act: async () => {
        await passLogin()
        await click('Use a recovery code')
        await see('Recovery code')
      },
    },
  ],
}
