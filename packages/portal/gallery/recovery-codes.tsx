import { RecoveryCodesPage } from '../src/account/recovery-codes-page.tsx'
import { passLogin, passLoginTo } from './login.ts'
import { answers, factorError, failedLogin, type Group, needsCode, never, refused, success } from './scene.ts'
import { click, fill, see } from './user-steps.ts'

const codes = [
  'abcd-efgh-2345-wxyz',
  'k3mn-p4qr-5stu-6vwx',
  '7yza-2bcd-e3fg-h4jk',
  'mnpq-5rst-uv6w-xyz7',
  'a2b3-c4d5-e6f7-g2h3',
  'jkmn-2345-pqrs-6723',
  'tuvw-xyza-bcde-fghj',
  '2345-67ab-cdef-ghjk',
  'mmmm-wwww-mmmm-wwww',
  'z7y6-x5w4-v3u2-t7s6',
]
const page = (userRecoveryCodes: Parameters<typeof RecoveryCodesPage>[0]['api']['userRecoveryCodes']) => (
  <RecoveryCodesPage dashboardUrl="#" api={{ userRecoveryCodes }} save={() => {}} print={() => {}} />
)

/** The page that shows the codes. */
export const recoveryCodes: Group = {
  name: 'Recovery codes',
  scenes: [
    { name: 'Not shown', draw: () => page(never) },
    {
      name: 'Loading',
      draw: () => page(never),
      act: async () => {
        await click('Show my recovery codes')
        await see('Loading')
      },
    },
    {
      name: 'Refused',
      draw: () => page(refused('Recovery codes can be created only right after a sign-in', 403, 'RecoveryCodesClosed')),
      act: async () => {
        await click('Show my recovery codes')
        await see('Something went wrong')
      },
    },
    {
      name: 'Shown',
      draw: () => page(answers({ recoveryCodes: codes })),
      act: async () => {
        await click('Show my recovery codes')
        await see('I’ve saved them')
      },
    },
  ],
}

const atCode = async () => {
  await passLogin()
  await click('Use a recovery code')
  await see('Recovery code')
}
const send = async () => {
  await atCode()
  await fill('Recovery code', 'ABCD efgh 2345 wxyz')
  await click('Verify')
}
const toCode = { getAuthTokenWithError: passLoginTo(needsCode) }

/** The sign-in page that takes a recovery code. */
export const recovery: Group = {
  name: 'Recovery',
  scenes: [
    { name: 'Not verified', api: toCode, act: atCode },
    {
      name: 'Nothing typed',
      api: toCode,
      act: async () => {
        await atCode()
        await click('Verify')
        await see('Enter a recovery code.')
      },
    },
    {
      name: 'Verifying',
      api: toCode,
      act: async () => {
        await send()
        await see('Verifying')
      },
    },
    {
      name: 'Failed',
      api: { ...toCode, recoveryCode: answers(failedLogin) },
      act: async () => {
        await send()
        await see('You have failed to login')
      },
    },
    {
      name: 'Invalid code',
      api: {
        ...toCode,
        recoveryCode: answers(factorError({ tag: 'TOTPError', contents: { status: 'Pending', reason: { tag: 'InvalidCode' } } })),
      },
      act: async () => {
        await send()
        await see('Authentication Failed')
      },
    },
    {
      name: 'Verified',
      api: { ...toCode, recoveryCode: answers(success) },
      act: async () => {
        await send()
        await see('Verified, please wait')
      },
    },
  ],
}
