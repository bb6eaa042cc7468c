import type { PushProgress } from '@gatehouse/wire'
import { adas } from '../src/testing/own-account.ts'
import { account } from './account.tsx'
import { answers, type Group, never, tooMany } from './scene.ts'
import { click, see } from './user-steps.ts'

const link = {
  factorUUID: '550e8400-e29b-41d4-a716-446655440000',
  link: 'https://sign-in.example.com/approve#enrol=Zk3vQ8xT1nR5bW7yZk3vQ8.c2FtcGxlLXRva2VuLW9mLTI1Ni1iaXRzLXdoaWNoLWlzLTQz',
  expires: '2046-11-20T03:10:00Z',
}
const first = adas.factors.slice(0, 1)
const enrolling = (progress: PushProgress) =>
  account({ factors: first }, { userFactorAddPush: answers(link), userFactorPushProgress: answers(progress) })
const failed = (challengeStatus: 'Denied' | 'Expired'): PushProgress => ({
  tag: 'Failed',
  contents: { challengeStatus, challengeRespondedReason: { tag: challengeStatus === 'Denied' ? 'InvalidCode' : 'ReasonNone' } },
})

const showLink = async () => {
  await click('Add a phone')
  await click('Show the QR code')
  await see('Scan this code with your phone’s camera')
}
const until = (text: string) => async () => {
  await showLink()
  await see(text)
}

/** The set-up of a phone on the account page. */
export const phoneEnrolment: Group = {
  name: 'Pages of a phone',
  scenes: [
    { name: 'Add a phone', draw: () => account({ factors: first }), act: () => click('Add a phone') },
    {
      name: 'Add a phone, loading',
      draw: () => account({ factors: first }, { userFactorAddPush: never }),
      act: async () => {
        await click('Add a phone')
        await click('Show the QR code')
      },
    },
    { name: 'QR code', draw: () => enrolling({ tag: 'Waiting' }), act: showLink },
    {
      name: 'Number',
      draw: () => enrolling({ tag: 'Asked', contents: { challengeNumber: '012345', challengeExpires: '2046-11-20T03:02:00Z' } }),
      act: until('Almost done'),
    },
    { name: 'Wrong number', draw: () => enrolling(failed('Denied')), act: until('That number didn’t match') },
    { name: 'Too late', draw: () => enrolling(failed('Expired')), act: until('The request timed out') },
    { name: 'Over', draw: () => enrolling({ tag: 'Over' }), act: until('This took too long') },
    {
      name: 'Not asked',
      draw: () => account({ factors: first }, { userFactorAddPush: answers(link), userFactorPushProgress: tooMany }),
      act: until('Too many requests'),
    },
    {
      name: 'Added',
      draw: () =>
        account(
          { factors: first },
          {
            userFactorAddPush: answers(link),
            userFactorPushProgress: answers<PushProgress>({ tag: 'Verified' }),
            userAccount: answers({
              ...adas,
              factors: [
                ...first,
                {
                  factorUUID: link.factorUUID,
                  factorFriendlyName: 'Pixel 7',
                  factorFactorType: 'Push' as const,
                  factorDateCreated: '2026-11-20T03:04:00Z',
                },
              ],
            }),
          },
        ),
      act: until('Phone added'),
    },
  ],
}
