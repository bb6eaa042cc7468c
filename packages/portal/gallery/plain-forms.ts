import type { FormResult, SignInPage } from '@gatehouse/sign-in'
import type { PushStatus } from '@gatehouse/wire'
import { type Group, needsFactor, never } from './scene.ts'
import { see } from './user-steps.ts'

const credentials = { username: 'ada@example.com', password: '' }
const factor = needsFactor.contents
const explain: FormResult = { explain: { tag: 'TOTPError', contents: { status: 'Pending', reason: { tag: 'InvalidCode' } } } }

/** No call is answered: everything shown came with the page. */
const led = (initialPage: SignInPage, formResult?: FormResult) => ({
  api: { push: { pushChallenge: never, pushStatus: never, watchStatus: () => () => {} } },
  begin: { initialPage, formResult, loginUrl: '/', plainForms: true, autoFocus: false },
})

const asked = (status: Pick<PushStatus, 'challengeStatus' | 'challengeRespondedReason'>): SignInPage => {
  const challengeUUID = 'f47ac10b-58cc-4372-a567-0e02b2c3d479'
  const question = { challengeUUID, challengeNumber: '012345', challengeExpires: '2046-11-20T03:02:00Z' }
  return { at: 'approve-on-phone', credentials, factorTypes: ['Push'], asked: { ...question, status: { challengeUUID, ...status } } }
}

/** The pages that the server shows after a form is submitted without a script. */
export const plainForms: Group = {
  name: 'Pages of a form without a script',
  scenes: [
    {
      name: 'A code that is none',
      ...led({ at: 'verify-factor', credentials, firstSetup: false }, { wrong: 'code' }),
      act: () => see('Enter the six-digit code'),
    },
    { name: 'A wrong code', ...led({ at: 'verify-factor', credentials, firstSetup: false }, explain), act: () => see('Invalid code') },
    {
      name: 'The first code after a reset',
      ...led({ at: 'verify-factor', credentials, firstSetup: false, factorUUID: factor.factorUUID }),
      act: () => see('Follow the instructions'),
    },
    {
      name: 'A recovery code that is none',
      ...led({ at: 'recovery-code', credentials }, { wrong: 'code' }),
      act: () => see('Enter a'),
    },
    {
      name: 'A reset, refused',
      ...led({ at: 'reset-factor', credentials }, { show: 'failed-login' }),
      act: () => see('You have failed to login'),
    },
    {
      name: 'A skip, refused',
      ...led({ at: 'create-factor', credentials, factor }, { explain: { tag: 'DatabaseError', contents: { tag: 'NoVerifiedFactors' } } }),
      act: () => see('No verified factors'),
    },
    {
      name: 'A number for the phone',
      ...led(asked({ challengeStatus: 'Pending', challengeRespondedReason: { tag: 'ReasonNone' } }), {
        explain: { tag: 'DatabaseError', contents: { tag: 'NoApprovedChallenges' } },
      }),
      act: () => see('I’ve approved it'),
    },
    {
      name: 'Another number on the phone',
      ...led(asked({ challengeStatus: 'Denied', challengeRespondedReason: { tag: 'InvalidCode' } })),
      act: () => see('That number didn’t match'),
    },
    {
      name: 'Mail asked for',
      ...led({ at: 'forgot-password', email: 'ada@example.com' }, { sent: 'one-time-link' }),
      act: () => see('Email sent'),
    },
    {
      name: 'No address',
      ...led({ at: 'forgot-password', email: 'ada' }, { wrong: 'email' }),
      act: () => see('Enter an email address'),
    },
  ],
}
