import type { OwnAccount } from '@gatehouse/wire'
import { adas } from '../src/testing/own-account.ts'
import { account } from './account.tsx'
import { answers, type Group, refused, unreachable } from './scene.ts'
import { click, fill, see } from './user-steps.ts'

const providers: OwnAccount['providers'] = [
  { provider: 'Google', linked: true },
  { provider: 'Azure', linked: false },
  { provider: 'Pak', linked: false },
]
const longest = `${'long.name.'.repeat(6)}@${'sub.'.repeat(40)}example.com`
const withPassword = async (name: string) => {
  await fill('Password', 'correct horse battery staple')
  await click(name)
}

/** The account page with providers. */
export const waysToSignIn: Group = {
  name: 'Pages of ways to sign in',
  scenes: [
    { name: 'Ways to sign in', draw: () => account({ providers }), act: () => see('Ways to sign in') },
    {
      name: 'Ways to sign in, all linked, the longest address',
      draw: () => account({ userIdent: longest, providers: providers.map(way => ({ ...way, linked: true })) }),
      act: () => see('Ways to sign in'),
    },
    { name: 'Link', draw: () => account({ providers }), act: () => click('Link Microsoft') },
    { name: 'Link without a password', draw: () => account({ providers, hasPassword: false }), act: () => click('Link Microsoft') },
    {
      name: 'Link, on the way to the provider',
      draw: () => account({ providers }, { userProviderLink: answers({ location: '#' }) }),
      act: async () => {
        await click('Link Microsoft')
        await withPassword('Link Microsoft')
        await see('Taking you to Microsoft')
      },
    },
    {
      name: 'Link, no network',
      draw: () => account({ providers }, { userProviderLink: unreachable }),
      act: async () => {
        await click('Link Pak Platform')
        await withPassword('Link Pak Platform')
        await see('Something went wrong')
      },
    },
    { name: 'Unlink', draw: () => account({ providers }), act: () => click('Unlink Google') },
    {
      name: 'Unlink, nothing typed',
      draw: () => account({ providers }),
      act: async () => {
        await click('Unlink Google')
        await click('Unlink Google')
        await see('Enter your password.')
      },
    },
    {
      name: 'Unlink, wrong password',
      draw: () => account({ providers }, { userProviderUnlink: refused('password: is wrong', 403) }),
      act: async () => {
        await click('Unlink Google')
        await withPassword('Unlink Google')
        await see('The password is wrong.')
      },
    },
    {
      name: 'The only way to sign in',
      draw: () => account({ providers, hasPassword: false }),
      act: () => see('This is your only way'),
    },
    {
      name: 'Unlinking',
      draw: () => account({ providers }),
      act: async () => {
        await click('Unlink Google')
        await withPassword('Unlink Google')
        await see('Unlinking Google')
      },
    },
    {
      name: 'Unlinked',
      draw: () =>
        account(
          { providers },
          {
            userProviderUnlink: answers(undefined),
            userAccount: answers({ ...adas, providers: providers.map(way => ({ ...way, linked: false })) }),
          },
        ),
      act: async () => {
        await click('Unlink Google')
        await withPassword('Unlink Google')
        await see('Google unlinked.')
      },
    },
  ],
}
