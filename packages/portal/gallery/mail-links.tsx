import { createConfig, type SignInPage } from '@gatehouse/sign-in'
import type { MailLink } from '@gatehouse/wire'
import type { ReactNode } from 'react'
import { SignInArea } from '../../sign-in/src/sign-in.tsx'
import type { PortalApi } from '../src/calls/portal-api.ts'
import { ConfirmEmailPage } from '../src/mail-links/confirm-email-page.tsx'
import { NewFactorPage } from '../src/mail-links/new-factor-page.tsx'
import { NewPasswordPage } from '../src/mail-links/new-password-page.tsx'
import { OneTimeLinkPage } from '../src/mail-links/one-time-link-page.tsx'
import { signInTexts } from '../src/messages/current.ts'
import {
  answers,
  failedLogin,
  type Group,
  needsCode,
  needsFactor,
  never,
  refused,
  type Scene,
  success,
  tooMany,
  unreachable,
  withoutBinding,
} from './scene.ts'
import { click, fill, see } from './user-steps.ts'

const base = { link: { selector: 'selector', token: 'token' }, base: '' }
const good = (email: string) => answers<MailLink>({ state: 'Good', email })
const masked = good('a•••@example.com')
/** A one-time link that another browser asked for. */
const inOtherBrowser = answers<MailLink>({ state: 'Good', email: 'a•••@example.com', asksNumber: true })
const longest = `${'long.name.'.repeat(6)}@${'sub.'.repeat(40)}example.com`

/** The scenes that every mailed link has: the page checks the link, or the link does not work. */
const beforeGood = (draw: (look: PortalApi['mailLinkLook']) => ReactNode): Scene[] => [
  { name: 'Looking', draw: () => draw(never) },
  { name: 'Not looked', draw: () => draw(unreachable), act: () => see('Couldn’t check the link') },
  { name: 'Used', draw: () => draw(answers<MailLink>({ state: 'Used' })), act: () => see('This link has already been used') },
  { name: 'Expired', draw: () => draw(answers<MailLink>({ state: 'Expired' })), act: () => see('This link no longer works') },
  { name: 'Unknown', draw: () => draw(answers<MailLink>({ state: 'Unknown' })), act: () => see('This link doesn’t work') },
]

type OneTimeApi = Parameters<typeof OneTimeLinkPage>[0]['api']
const silent = {
  getAuthTokenWithError: never,
  plowlogin: never,
  loginWithToken: never,
  verifyOTP: never,
  setupOTP: never,
  recoveryCode: never,
  resetOTP: never,
  sendPasswordResetEmail: never,
  magiclinkSend: never,
  magiclinkWait: never,
  magiclinkCode: never,
}
const area = (page: SignInPage) => (
  <SignInArea api={silent} config={createConfig()} navigate={() => {}} messages={signInTexts} initialPage={page} loginUrl="#" />
)
const oneTime = (api: Partial<OneTimeApi>) => (
  <OneTimeLinkPage {...base} api={{ mailLinkLook: masked, magiclinkRedeem: never, ...api }} leave={never} goOn={area} />
)

export const oneTimeLink: Group = {
  name: 'One-time link',
  scenes: [
    ...beforeGood(mailLinkLook => oneTime({ mailLinkLook })),
    { name: 'Good', draw: () => oneTime({}), act: () => see('Sign in as') },
    { name: 'Good, the longest address', draw: () => oneTime({ mailLinkLook: good(longest) }), act: () => see('Sign in as') },
    { name: 'Asks for the number', draw: () => oneTime({ mailLinkLook: inOtherBrowser }), act: () => see('Number') },
    {
      name: 'Number missing',
      draw: () => oneTime({ mailLinkLook: inOtherBrowser }),
      act: async () => {
        await see('Number')
        await click('Sign in')
        await see('Enter the two digits')
      },
    },
    {
      name: 'Signing in',
      draw: () => oneTime({}),
      act: async () => {
        await click('Sign in')
        await see('Signing in')
      },
    },
    {
      name: 'Signed in',
      draw: () => oneTime({ magiclinkRedeem: answers(success) }),
      act: async () => {
        await click('Sign in')
        await see('Signed in, please wait')
      },
    },
    {
      name: 'Refused though good',
      draw: () => oneTime({ magiclinkRedeem: answers(failedLogin) }),
      act: async () => {
        await click('Sign in')
        await see('That didn’t work')
      },
    },
    {
      name: 'Too many attempts',
      draw: () => oneTime({ magiclinkRedeem: tooMany }),
      act: async () => {
        await click('Sign in')
        await see('Too many requests')
      },
    },
    {
      name: 'Forced reset',
      draw: () => oneTime({ magiclinkRedeem: answers({ tag: 'AuthFailureForcedReset' }) }),
      act: async () => {
        await click('Sign in')
        await see('reset by an administrator')
      },
    },
    {
      name: 'Goes on to the second factor',
      draw: () => oneTime({ magiclinkRedeem: answers(needsCode) }),
      act: async () => {
        await click('Sign in')
        await see('Verification Code')
      },
    },
    {
      name: 'Goes on to setting one up',
      draw: () => oneTime({ magiclinkRedeem: answers(needsFactor) }),
      act: async () => {
        await click('Sign in')
        await see('Scan the QR code')
      },
    },
  ],
}

const setPassword = (api: Partial<Parameters<typeof NewPasswordPage>[0]['api']>) => (
  <NewPasswordPage {...base} minPasswordLength={15} api={{ mailLinkLook: good('ada@example.com'), resetPassword: never, ...api }} />
)
const choose = async (password: string, again = password) => {
  await fill('New password', password)
  await fill('Confirm new password', again)
  await click('Change password')
}

export const newPassword: Group = {
  name: 'New password',
  scenes: [
    ...beforeGood(mailLinkLook => setPassword({ mailLinkLook })),
    { name: 'Good', draw: () => setPassword({}), act: () => see('Change password') },
    { name: 'Good, the longest address', draw: () => setPassword({ mailLinkLook: good(longest) }), act: () => see('Change password') },
    { name: 'Nothing typed', draw: () => setPassword({}), act: () => click('Change password') },
    {
      name: 'Too short',
      draw: () => setPassword({}),
      act: async () => {
        await choose('tr0ub4dor')
        await see('This one has 9')
      },
    },
    {
      name: 'Not the same twice',
      draw: () => setPassword({}),
      act: async () => {
        await choose('correct horse battery', 'correct horse buttery')
        await see('don’t match')
      },
    },
    {
      name: 'Too common',
      draw: () => setPassword({ resetPassword: refused('newpassword: is too common', 400, 'PasswordCommon') }),
      act: async () => {
        await choose('passwordpassword')
        await see('The password is too common.')
      },
    },
    {
      name: 'Changing',
      draw: () => setPassword({}),
      act: async () => {
        await choose('correct horse battery staple')
        await see('Changing your password')
      },
    },
    {
      name: 'No network',
      draw: () => setPassword({ resetPassword: unreachable }),
      act: async () => {
        await choose('correct horse battery staple')
        await see('Something went wrong')
      },
    },
    {
      name: 'Changed',
      draw: () => setPassword({ resetPassword: answers({ passkeys: [] }) }),
      act: async () => {
        await choose('correct horse battery staple')
        await see('Password changed')
      },
    },
    {
      name: 'Changed, passkeys to review',
      draw: () => setPassword({ resetPassword: answers({ passkeys: ['iCloud Keychain', 'YubiKey 5'] }) }),
      act: async () => {
        await choose('correct horse battery staple')
        await see('Password changed')
      },
    },
  ],
}

const setFactor = (api: Partial<Parameters<typeof NewFactorPage>[0]['api']>) => (
  <NewFactorPage {...base} api={{ mailLinkLook: masked, newFactor: never, ...api }} />
)

export const newFactor: Group = {
  name: 'New factor',
  scenes: [
    ...beforeGood(mailLinkLook => setFactor({ mailLinkLook })),
    { name: 'Good', draw: () => setFactor({}), act: () => see('Show the new QR code') },
    {
      name: 'Loading',
      draw: () => setFactor({}),
      act: async () => {
        await click('Show the new QR code')
        await see('Loading')
      },
    },
    {
      name: 'Refused though good',
      draw: () => setFactor({ newFactor: answers(failedLogin) }),
      act: async () => {
        await click('Show the new QR code')
        await see('That didn’t work')
      },
    },
    {
      name: 'QR code',
      draw: () => setFactor({ newFactor: answers(needsFactor) }),
      act: async () => {
        await click('Show the new QR code')
        await see('Copy key')
      },
    },
    {
      name: 'Nothing to scan',
      draw: () => setFactor({ newFactor: answers(withoutBinding) }),
      act: async () => {
        await click('Show the new QR code')
        await see('Something went wrong')
      },
    },
  ],
}

const confirm = (api: Partial<Parameters<typeof ConfirmEmailPage>[0]['api']>) => (
  <ConfirmEmailPage {...base} api={{ mailLinkLook: good('ada.new@example.com'), userEmailConfirm: never, ...api }} />
)

export const confirmEmail: Group = {
  name: 'Confirm address',
  scenes: [
    ...beforeGood(mailLinkLook => confirm({ mailLinkLook })),
    { name: 'Good', draw: () => confirm({}), act: () => see('from now on?') },
    { name: 'Good, the longest address', draw: () => confirm({ mailLinkLook: good(longest) }), act: () => see('from now on?') },
    {
      name: 'Confirming',
      draw: () => confirm({}),
      act: async () => {
        await click('Confirm')
        await see('Confirming')
      },
    },
    {
      name: 'Failed',
      draw: () => confirm({ userEmailConfirm: unreachable }),
      act: async () => {
        await click('Confirm')
        await see('Something went wrong')
      },
    },
    {
      name: 'Confirmed',
      draw: () => confirm({ userEmailConfirm: answers(undefined) }),
      act: async () => {
        await click('Confirm')
        await see('Email address changed')
      },
    },
  ],
}
