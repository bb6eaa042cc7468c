import { answers, failedLogin, type Group } from './scene.ts'
import { click, fill, see } from './user-steps.ts'

const open = async () => {
  await click('Forgot your password?')
  await see('Send One Time Link Email')
}

const send = async (button: string) => {
  await open()
  await fill('Email', 'ada@example.com')
  await click(button)
}

export const forgotPassword: Group = {
  name: 'Forgot password',
  scenes: [
    { name: 'Not sent', api: {}, act: open },
    {
      name: 'Field empty',
      api: {},
      act: async () => {
        await open()
        await click('Send Password Reset Email')
      },
    },
    { name: 'Sending a password reset', api: {}, act: () => send('Send Password Reset Email') },
    { name: 'Sending a one-time link', api: {}, act: () => send('Send One Time Link Email') },
    {
      name: 'Password reset sent',
      api: { sendPasswordResetEmail: answers(undefined) },
      act: async () => {
        await send('Send Password Reset Email')
        await see('Email sent')
      },
    },
    {
      name: 'One-time link sent',
      api: { magiclinkWait: answers({ number: '42' }), magiclinkSend: answers({ tag: 'Ok' }) },
      act: async () => {
        await send('Send One Time Link Email')
        await see('Email sent')
      },
    },
    {
      name: 'Wrong code of the email',
      api: {
        magiclinkWait: answers({ number: '42' }),
        magiclinkSend: answers({ tag: 'Ok' }),
        magiclinkCode: answers(failedLogin),
      },
      act: async () => {
        await send('Send One Time Link Email')
        await see('Code from the email')
        await fill('Code from the email', 'abcd-efgh')
        await click('Sign in')
        await see('That code didn’t work')
      },
    },
  ],
}
