import type { AuthOutcome } from '@gatehouse/wire'
import { answers, failedLogin, type Group, success, unreachable } from './scene.ts'
import { click, fill, see } from './user-steps.ts'

const signIn = async () => {
  await fill('Email', 'ada@example.com')
  await fill('Password', 'correct horse battery staple')
  await click('Sign in')
}

/** Signs in on the login page. */
export const passLogin = signIn
/** Answers a sign-in with an outcome that has a next step. */
export const passLoginTo = (outcome: AuthOutcome) => answers(outcome)

/** A heading, as our own pages have. The widget has none by default. */
const begin = { heading: { title: 'Sign in to Acme Monitoring', text: 'to continue to grafana.example.com' } }

export const login: Group = {
  name: 'Login',
  scenes: [
    { name: 'Not logged in', api: {} },
    {
      name: 'With a heading',
      api: {},
      begin,
    },
    {
      name: 'Last used, Google',
      api: {},
      begin: { heading: { title: 'Sign in to Acme Monitoring' } },
      lastMethod: 'google',
    },
    { name: 'Last used, password', api: {}, begin, lastMethod: 'password' },
    {
      name: 'Password shown',
      api: {},
      act: async () => {
        await fill('Email', 'ada@example.com')
        await fill('Password', 'correct horse battery staple')
        await click('Show password')
      },
    },
    {
      name: 'Other methods first',
      api: {},
      begin: { methods: ['providers', 'password', 'link'], providers: ['azure', 'google'] },
    },
    {
      name: 'Compact',
      api: {},
      begin: { density: 'compact', heading: { title: 'Sign in to Acme' }, slots: { footer: 'Need help? Call 1234.' } },
    },
    { name: 'Provider not responding', api: {}, begin: { providerNotes: { google: 'Google didn’t respond a minute ago' } } },
    { name: 'Fields empty', api: {}, begin, act: () => click('Sign in') },
    {
      name: 'Address malformed',
      api: {},
      begin,
      act: async () => {
        await fill('Email', 'ada.example.com')
        await click('Sign in')
      },
    },
    { name: 'Logging in', api: {}, begin, act: signIn },
    {
      name: 'Failed login',
      api: { getAuthTokenWithError: answers(failedLogin) },
      begin,
      act: async () => {
        await signIn()
        await see('You have failed to login')
      },
    },
    {
      name: 'Forced reset',
      api: { getAuthTokenWithError: answers({ tag: 'AuthFailureForcedReset' }) },
      begin,
      act: async () => {
        await signIn()
        await see('reset by an administrator')
      },
    },
    {
      name: 'No network',
      api: { getAuthTokenWithError: unreachable },
      begin,
      act: async () => {
        await signIn()
        await click('More Info')
      },
    },
    {
      name: 'Logged in',
      api: { getAuthTokenWithError: answers(success) },
      begin,
      act: async () => {
        await signIn()
        await see('Signed in, please wait')
      },
    },
  ],
}
