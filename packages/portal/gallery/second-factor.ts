import { passLogin, passLoginTo } from './login.ts'
import {
  answers,
  factorError,
  failedLogin,
  type Group,
  needsCode,
  needsFactor,
  needsReset,
  onDevice,
  success,
  tooLongToScan,
  unreachable,
  withoutBinding,
} from './scene.ts'
import { click, fill, see } from './user-steps.ts'

const toCode = { getAuthTokenWithError: passLoginTo(needsCode) }
const toFactor = { getAuthTokenWithError: passLoginTo(needsFactor) }

const sendCode = async (code = '012345') => {
  await fill('Verification Code', code)
  await click('Verify')
}

const atCode = async () => {
  await passLogin()
  await see('Verification Code')
}

const atFactor = async () => {
  await passLogin()
  await see('Scan the QR code')
}

const atReset = async () => {
  await atCode()
  await click('Reset two factor authentication')
  await see('Reset Two Factor Authentication')
}

export const verification: Group = {
  name: 'Factor verification',
  scenes: [
    { name: 'Not verified', api: toCode, act: atCode },
    {
      name: 'Verifying',
      api: toCode,
      act: async () => {
        await atCode()
        await sendCode()
        await see('Verifying')
      },
    },
    {
      name: 'No integer, stays verifying',
      api: toCode,
      act: async () => {
        await atCode()
        await sendCode('12a456')
        await see('Verifying')
      },
    },
    {
      name: 'Failed',
      api: { ...toCode, verifyOTP: answers(failedLogin) },
      act: async () => {
        await atCode()
        await sendCode()
        await see('You have failed to login')
      },
    },
    {
      name: 'Invalid code',
      api: {
        ...toCode,
        verifyOTP: answers(factorError({ tag: 'TOTPError', contents: { status: 'Pending', reason: { tag: 'InvalidCode' } } })),
      },
      act: async () => {
        await atCode()
        await sendCode()
        await see('Authentication Failed')
      },
    },
    {
      name: 'Clock behind',
      api: {
        ...toCode,
        verifyOTP: answers(
          factorError({ tag: 'TOTPError', contents: { status: 'Pending', reason: { tag: 'InvalidCode' }, clockOffset: -180 } }),
        ),
      },
      act: async () => {
        await atCode()
        await sendCode()
        await see('3 minutes behind')
      },
    },
    {
      name: 'Messaging provider out of order',
      api: { ...toCode, verifyOTP: answers(factorError({ tag: 'ApiError', contents: 'the provider did not answer' })) },
      act: async () => {
        await atCode()
        await sendCode()
        await see('Messaging Provider Integration Error')
      },
    },
    {
      name: 'No network',
      api: { ...toCode, verifyOTP: unreachable },
      act: async () => {
        await atCode()
        await sendCode()
        await click('More Info')
      },
    },
    {
      name: 'Verified',
      api: { ...toCode, verifyOTP: answers(success) },
      act: async () => {
        await atCode()
        await sendCode()
        await see('Verified, please wait')
      },
    },
    {
      name: 'First setup',
      api: toFactor,
      act: async () => {
        await atFactor()
        await click('Next')
        await see('Verification Code')
      },
    },
  ],
}

export const creation: Group = {
  name: 'Factor creation',
  scenes: [
    { name: 'QR code', api: toFactor, act: atFactor },
    {
      name: 'QR code not drawn',
      api: { getAuthTokenWithError: passLoginTo(tooLongToScan) },
      act: async () => {
        await passLogin()
        await see('Couldn’t load the QR code.')
      },
    },
    {
      name: 'Nothing to scan',
      api: { getAuthTokenWithError: passLoginTo(withoutBinding) },
      act: async () => {
        await passLogin()
        await see('Something went wrong')
      },
    },
    {
      name: 'On a device',
      api: { getAuthTokenWithError: passLoginTo(onDevice) },
      act: async () => {
        await passLogin()
        await see('Your second factor is a device')
      },
    },
    {
      name: 'On a device, its first code',
      api: { getAuthTokenWithError: passLoginTo(onDevice) },
      act: async () => {
        await passLogin()
        await click('Next')
        await see('Enter the six-digit code from your device')
      },
    },
    {
      name: 'Skipping',
      api: toFactor,
      act: async () => {
        await atFactor()
        await click('Skip factor authentication')
        await see('Loading')
      },
    },
    {
      name: 'Skip refused',
      api: { ...toFactor, setupOTP: answers(failedLogin) },
      act: async () => {
        await atFactor()
        await click('Skip factor authentication')
        await see('You have failed to login')
      },
    },
    ...(['Administrator', 'Required', 'UsedUp'] as const).map(skipRefused => ({
      name: `Without Skip, ${skipRefused}`,
      api: { getAuthTokenWithError: passLoginTo({ ...needsFactor, skipRefused }) },
      act: atFactor,
    })),
    {
      name: 'Skipped',
      api: { ...toFactor, setupOTP: answers(success) },
      act: async () => {
        await atFactor()
        await click('Skip factor authentication')
        await see('please wait')
      },
    },
  ],
}

export const reset: Group = {
  name: 'Factor reset',
  scenes: [
    { name: 'Not sent', api: toCode, act: atReset },
    {
      name: 'Sending',
      api: toCode,
      act: async () => {
        await atReset()
        await click('Send reset instruction')
        await see('Sending')
      },
    },
    {
      name: 'Refused',
      api: { ...toCode, resetOTP: answers(failedLogin) },
      act: async () => {
        await atReset()
        await click('Send reset instruction')
        await see('You have failed to login')
      },
    },
    {
      name: 'Held back, the password came by mail',
      api: { ...toCode, resetOTP: answers({ ...needsReset, refused: 'PasswordByMail' }) },
      act: async () => {
        await atReset()
        await click('Send reset instruction')
        await see('both this password and your current second factor')
      },
    },
    {
      name: 'Sent',
      api: { ...toCode, resetOTP: answers(needsReset) },
      act: async () => {
        await atReset()
        await click('Send reset instruction')
        await see('Verification Code')
      },
    },
  ],
}
