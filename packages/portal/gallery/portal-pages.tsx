import { AccountPage } from '../src/account-page.tsx'
import { NoticePage } from '../src/notice-page.tsx'
import { TroublePage } from '../src/trouble-page.tsx'
import '../src/trouble.css'
import { click, fill, see } from './hand.ts'
import { answers, type Group, never, unreachable } from './scene.ts'

type Props = Parameters<typeof AccountPage>[0]
const refused =
  (message: string, status = 429) =>
  () =>
    Promise.resolve({ ok: false, failure: { is: 'refused', message, detail: '', status } } as const)
const account = ({ api, ...props }: Partial<Omit<Props, 'api'>> & { api?: Partial<Props['api']> } = {}) => (
  <AccountPage
    username="ada@example.com"
    administrator
    providers={[]}
    hasPassword
    visit={() => {}}
    leave={() => {}}
    {...props}
    api={{ logoutBySelf: never, userProviderLink: never, userProviderUnlink: never, ...api }}
  />
)
const providers: Props['providers'] = [
  { provider: 'Google', linked: true },
  { provider: 'Azure', linked: false },
  { provider: 'Pak', linked: false },
]
const longest = `${'long.name.'.repeat(6)}@${'sub.'.repeat(40)}example.com`
const withPassword = async (name: string) => {
  await fill('Password', 'correct horse battery staple')
  await click(name)
}

export const portalPages: Group = {
  name: 'Pages of the portal',
  scenes: [
    { name: 'Account', draw: () => account() },
    {
      name: 'Account, signing out',
      draw: () => account(),
      act: () => click('Sign out'),
    },
    {
      name: 'Account, sign-out failed',
      draw: () => account({ api: { logoutBySelf: refused('too many requests') } }),
      act: async () => {
        await click('Sign out')
        await see('too many requests')
      },
    },
    {
      name: 'Notice',
      draw: () => (
        <NoticePage
          title="Google sign-in is not set up"
          text="Whoever runs this server has not connected it to Google. Sign in another way."
          action={{ label: 'Back to sign-in', href: '#' }}
        />
      ),
    },
  ],
}

const trouble: Parameters<typeof TroublePage>[0] = {
  trouble: 'cookie-not-passed-on',
  title: 'Gatehouse and the proxy do not agree',
  cause: 'You are signed in, but the check for https://grafana.example.com came without the cookie.',
  advice: 'Let the proxy pass the Cookie header of the browser on to the check, /auth/request or /auth/forward.',
  facts: [
    { name: 'Address', value: 'https://grafana.example.com' },
    { name: 'Gatehouse', value: 'https://sign-in.example.com/' },
    { name: 'Cookie for', value: 'example.com and below' },
  ],
  note: 'If somebody else looks after this server, show them this page.',
  action: { label: 'Try again', href: '#' },
}

/** What is set up wrong in front of a dashboard. */
export const troubles: Group = {
  name: 'Pages of a proxy',
  scenes: [
    { name: 'What is set up wrong', draw: () => <TroublePage {...trouble} /> },
    {
      name: 'What is set up wrong, the longest address',
      draw: () => (
        <TroublePage
          {...trouble}
          trouble="secure-cookie-on-http"
          facts={[{ name: 'Address', value: `https://${'metrics-of-the-cluster.'.repeat(8)}example.com:8443` }, ...trouble.facts.slice(1)]}
        />
      ),
    },
    {
      name: 'A second factor is needed',
      draw: () => (
        <NoticePage
          title="A second factor is needed"
          text="You are signed in as ada@example.com without one, and prometheus.example.com asks for it. Sign out, sign in again, and set up an authenticator app or enter its code."
          action={{ label: 'Go to your account', href: '#' }}
        />
      ),
    },
  ],
}

/** The account page where there are providers. */
export const waysToSignIn: Group = {
  name: 'Pages of the account',
  scenes: [
    { name: 'Ways to sign in', draw: () => account({ providers }), act: () => see('Ways to sign in') },
    {
      name: 'Ways to sign in, all linked, the longest address',
      draw: () => account({ username: longest, providers: providers.map(way => ({ ...way, linked: true })) }),
      act: () => see('Ways to sign in'),
    },
    { name: 'Link', draw: () => account({ providers }), act: () => click('Link Microsoft') },
    { name: 'Link without a password', draw: () => account({ providers, hasPassword: false }), act: () => click('Link Microsoft') },
    {
      name: 'Link, on the way to the provider',
      draw: () => account({ providers, api: { userProviderLink: answers({ location: '#' }) } }),
      act: async () => {
        await click('Link Microsoft')
        await withPassword('Link Microsoft')
        await see('Taking you to Microsoft')
      },
    },
    {
      name: 'Link, no network',
      draw: () => account({ providers, api: { userProviderLink: unreachable } }),
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
      draw: () => account({ providers, api: { userProviderUnlink: refused('password: is wrong', 403) } }),
      act: async () => {
        await click('Unlink Google')
        await withPassword('Unlink Google')
        await see('The password is wrong.')
      },
    },
    {
      name: 'Unlink, the last way',
      draw: () => account({ providers, hasPassword: false, api: { userProviderUnlink: refused('is the last', 409) } }),
      act: async () => {
        await click('Unlink Google')
        await click('Unlink Google')
        await see('This is the only way')
      },
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
      draw: () => account({ providers, api: { userProviderUnlink: answers(undefined) } }),
      act: async () => {
        await click('Unlink Google')
        await withPassword('Unlink Google')
        await see('Google is unlinked.')
      },
    },
  ],
}
