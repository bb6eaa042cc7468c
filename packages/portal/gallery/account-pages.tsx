import { adas, adasPasses } from '../src/testing/own-account.ts'
import { account } from './account.tsx'
import { answers, type Group, needsFactor, never, refused, staleSession, tooMany } from './scene.ts'
import { click, fill, see } from './user-steps.ts'

const codes = Array.from({ length: 10 }, (_, i) => `ab${i % 6}d-efgh-2345-wxy${'abcdefghij'[i]}`.replaceAll(/[01]/g, 'm'))
const { factors } = adas
const first = factors.slice(0, 1)
const newFactor = answers(needsFactor.contents)
/** The longest possible name, with a very long word. */
const longName = 'Donaudampfschifffahrtsgesellschaftskapitänsdiensttelefonhülle 12'

const passkey = (n: number, use: 'SignIn' | 'SecondFactor' | 'None' = 'SignIn') => ({
  factorUUID: `7c9e6679-7425-40de-944b-e07fc1f90a1${n}`,
  factorFriendlyName: `Passkey ${n}`,
  factorFactorType: 'Passkey' as const,
  factorDateCreated: '2026-11-10T08:00:00.000Z',
  passkey: { credentialId: `id${n}`, synced: true, optional: false, use },
})

const addTo = async (name = 'Phone') => {
  await click('Add an authenticator')
  await fill('Name', name)
  await click('Next')
}
const toCode = async () => {
  await addTo()
  await see('Scan the QR code')
}
const confirming = async () => {
  await click('Remove Old phone')
  await click('Remove')
  await see('Confirm it’s you')
}

/** The account page with its dialogs. */
export const accountPages: Group = {
  name: 'Pages of the account',
  scenes: [
    { name: 'Account', draw: () => account(), act: () => see('Recent activity') },
    {
      name: 'Account, passkeys that do not sign in alone',
      draw: () => account({ factors: [...adas.factors, passkey(1), passkey(2, 'SecondFactor'), passkey(3, 'None')], mostPasskeys: 20 }),
      act: () => see('It no longer works on this site.'),
    },
    {
      name: 'Administrator',
      draw: () => account({ administrator: true, mayBeWithout: false, factors: first }),
      act: () => see('You need at least one'),
    },
    {
      name: 'As little as there can be',
      draw: () =>
        account({
          hasPassword: false,
          factors: [],
          recoveryCodesLeft: 0,
          skipsUsed: 2,
          sessions: adas.sessions.slice(0, 1),
          activity: { rows: [] },
        }),
      act: () => see('You’ve skipped this 2 times.'),
    },
    {
      name: 'Not opened by a second factor',
      draw: () => account({ mayChangeFactors: false }),
      act: () => see('To change these'),
    },
    {
      name: 'Long names, and as many as there can be',
      draw: () =>
        account({
          userTZLabel: 'America/Argentina/ComodRivadavia',
          factors: Array.from(
            { length: 5 },
            (_, i) => ({ ...factors[0], factorUUID: `${i}`, factorFriendlyName: longName }) as (typeof factors)[0],
          ),
        }),
      act: () => see('You have the maximum'),
    },
    { name: 'Signing out', draw: () => account(), act: () => click('Sign out') },
    {
      name: 'Sign-out failed',
      draw: () => account({}, { logoutBySelf: tooMany }),
      act: async () => {
        await click('Sign out')
        await see('Too many requests')
      },
    },
    { name: 'Change email', draw: () => account(), act: () => click('Change email') },
    {
      name: 'Change email, sent',
      draw: () => account({}, { userEmailChange: answers(undefined) }),
      act: async () => {
        await click('Change email')
        await fill('New email', 'countess@example.com')
        await fill('Password', 'correct horse battery')
        await click('Send link')
        await see('If that address is available')
      },
    },
    { name: 'Change password', draw: () => account(), act: () => click('Change password') },
    {
      name: 'Change password, too short',
      draw: () => account(),
      act: async () => {
        await click('Change password')
        await fill('Current password', 'correct horse battery')
        await fill('New password', 'short')
        await click('Change password')
        await see('The password needs at least 15 characters')
      },
    },
    {
      name: 'Change password, wrong',
      draw: () => account({}, { userPasswordUpdate: refused('oldpassword: is wrong', 403) }),
      act: async () => {
        await click('Change password')
        await fill('Current password', 'incorrect horse battery')
        await fill('New password', 'a long new password')
        await fill('Confirm new password', 'a long new password')
        await click('Change password')
        await see('The password is wrong.')
      },
    },
    { name: 'Set a password', draw: () => account({ hasPassword: false }), act: () => click('Set a password') },
    { name: 'Add an authenticator', draw: () => account(), act: () => click('Add an authenticator') },
    {
      name: 'Add an authenticator, name taken',
      draw: () => account({}, { userFactorAdd: refused('name: is already in use', 409) }),
      act: async () => {
        await addTo()
        await see('You already use this name.')
      },
    },
    { name: 'Add an authenticator, QR code', draw: () => account({}, { userFactorAdd: newFactor }), act: toCode },
    {
      name: 'Add an authenticator, wrong code',
      draw: () => account({}, { userFactorAdd: newFactor, userFactorVerify: refused('verifyTOTPFactorRequestCode: is wrong', 403) }),
      act: async () => {
        await toCode()
        await fill('Verification Code', '123456')
        await click('Verify')
        await see('That code isn’t right.')
      },
    },
    {
      name: 'Add an authenticator, too late',
      draw: () => account({}, { userFactorAdd: newFactor, userFactorVerify: refused('x', 410) }),
      act: async () => {
        await toCode()
        await fill('Verification Code', '123456')
        await click('Verify')
        await see('This took too long')
      },
    },
    {
      name: 'Authenticator added',
      draw: () => account({}, { userFactorAdd: newFactor, userFactorVerify: answers(undefined) }),
      act: async () => {
        await toCode()
        await fill('Verification Code', '123456')
        await click('Verify')
        await see('Authenticator added.')
      },
    },
    { name: 'Rename an authenticator', draw: () => account(), act: () => click('Rename Old phone') },
    { name: 'Remove an authenticator', draw: () => account(), act: () => click('Remove Old phone') },
    { name: 'Remove the last authenticator', draw: () => account({ factors: first }), act: () => click('Remove Authenticator app') },
    { name: 'Confirm the password', draw: () => account({}, { userFactorRemove: staleSession }), act: confirming },
    {
      name: 'Confirm the password, wrong',
      draw: () => account({}, { userFactorRemove: staleSession, userPasswordConfirm: refused('password: is wrong', 403) }),
      act: async () => {
        await confirming()
        await fill('Password', 'incorrect horse battery')
        await click('Continue')
        await see('The password is wrong.')
      },
    },
    {
      name: 'Confirm the password, checking',
      draw: () => account({}, { userFactorRemove: staleSession }),
      act: async () => {
        await confirming()
        await fill('Password', 'correct horse battery')
        await click('Continue')
        await see('Checking')
      },
    },
    {
      name: 'Sign in again to remove',
      draw: () => account({ hasPassword: false }, { userFactorRemove: staleSession }),
      act: async () => {
        await click('Remove Old phone')
        await click('Remove')
        await see('sign out and sign in again')
      },
    },
    { name: 'New recovery codes', draw: () => account(), act: () => click('Create new codes') },
    {
      name: 'New recovery codes, shown',
      draw: () => account({}, { userRecoveryCodesAnew: answers({ recoveryCodes: codes }) }),
      act: async () => {
        await click('Create new codes')
        await click('Create new codes')
        await see('I’ve saved them')
      },
    },
    { name: 'End a session', draw: () => account(), act: () => click('End the session on') },
    {
      name: 'Ending all other sessions',
      draw: () => account({}, { userSessionEndOthers: never }),
      act: async () => {
        await click('End all other sessions')
        await click('End other sessions')
        await see('Ending other sessions')
      },
    },
    {
      name: 'All other sessions ended',
      draw: () =>
        account({}, { userSessionEndOthers: answers(undefined), userAccount: answers({ ...adas, sessions: adas.sessions.slice(0, 1) }) }),
      act: async () => {
        await click('End all other sessions')
        await click('End other sessions')
        await see('All other sessions ended.')
      },
    },
    {
      name: 'Known browsers',
      draw: () => account(),
      act: async () => {
        await click('Known browsers')
        await see('Last signed in')
      },
    },
    { name: 'Forget a browser', draw: () => account(), act: () => click('Forget Safari on iPhone') },
    {
      name: 'Forgetting all other browsers',
      draw: () => account({}, { userBrowserForgetOthers: never }),
      act: async () => {
        await click('Forget all others')
        await click('Forget other browsers')
        await see('Forgetting other browsers')
      },
    },
    {
      name: 'Browser forgotten',
      draw: () =>
        account({}, { userBrowserForget: answers(undefined), userAccount: answers({ ...adas, browsers: adas.browsers.slice(0, 1) }) }),
      act: async () => {
        await click('Forget Safari on iPhone')
        await click('Forget browser')
        await see('Browser forgotten.')
      },
    },
    {
      name: 'Passes',
      draw: () => account({}, { userPasses: answers(adasPasses) }),
      act: async () => {
        await click('Passes')
        await see('Nightly backup')
      },
    },
    {
      name: 'Create a pass',
      draw: () => account({}, { userPasses: answers(adasPasses) }),
      act: () => click('Create pass'),
    },
    {
      name: 'Create a pass, refused',
      draw: () =>
        account(
          {},
          {
            userPasses: answers(adasPasses),
            userPassAdd: refused('methods: ‘G3T’ must be a method in capitals', 400, 'PassMethod', 'G3T'),
          },
        ),
      act: async () => {
        await click('Create pass')
        await fill('Name', 'Backup')
        await fill('Methods', 'G3T')
        await click('Create pass')
        await see('‘G3T’ must be a method in capitals, such as GET.')
      },
    },
    {
      name: 'Pass created',
      draw: () =>
        account({}, { userPasses: answers(adasPasses), userPassAdd: answers({ pass: `gh_pass_${'Zx8v'.repeat(16)}Q5cd34ab12` }) }),
      act: async () => {
        await click('Create pass')
        await fill('Name', 'Backup')
        await click('Create pass')
        await see('We won’t show it again.')
      },
    },
    { name: 'End a pass', draw: () => account({}, { userPasses: answers(adasPasses) }), act: () => click('End pass Exporter') },
    {
      name: 'More activity',
      draw: () => account({}, { userActivity: answers({ rows: adas.activity.rows }) }),
      act: async () => {
        await click('Show more')
        await see('Showing 6 events.')
      },
    },
    {
      name: 'More activity, failed',
      draw: () => account({}, { userActivity: tooMany }),
      act: async () => {
        await click('Show more')
        await see('Too many requests')
      },
    },
    { name: 'Change time zone', draw: () => account(), act: () => click('Change time zone') },
  ],
}
