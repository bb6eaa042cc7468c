import type { PasskeyApi } from '../../sign-in/src/calls/passkey-api.ts'
import { passLogin, passLoginTo } from './login.ts'
import { answers, type Group, needsFactor, never } from './scene.ts'
import { click, see } from './user-steps.ts'

const options = { challenge: 'YQ', timeout: 300_000, rpId: 'localhost', userVerification: 'required' } as const
/** Browsers refuse a domain that is not the page's, without a dialog. */
const ofOtherDomain = { ...options, rpId: 'example.com' }
const creation = {
  challenge: 'YQ',
  timeout: 300_000,
  rp: { id: 'example.com', name: 'Gatehouse' },
  user: { id: 'dQ', name: 'ada@example.com', displayName: 'ada@example.com' },
  pubKeyCredParams: ([-7, -257] as const).map(alg => ({ type: 'public-key' as const, alg })),
  excludeCredentials: [],
  authenticatorSelection: { residentKey: 'required' as const, requireResidentKey: true as const, userVerification: 'required' as const },
  attestation: 'none' as const,
}

/** Calls that never end, except the given ones. */
const calls = (given: Partial<PasskeyApi> = {}): PasskeyApi => ({
  passkeyOptions: never,
  passkeySignIn: never,
  passkeyVerify: never,
  passkeySetUp: never,
  passkeyUpgrade: never,
  ...given,
})
const begin = { passkeys: true }
const toPasskey = (passkey: typeof options | typeof ofOtherDomain) =>
  passLoginTo({ tag: 'AuthRequires2FA', contents: { factorTypes: ['TOTP', 'Passkey'], passkey } })
const atPasskey = async () => {
  await passLogin()
  await see('Confirm that it’s you')
}
const atSetUp = async () => {
  await passLogin()
  await see('Use a passkey instead')
}

export const passkeys: Group = {
  name: 'Passkeys',
  scenes: [
    { name: 'Login', begin, api: { passkeys: calls() } },
    {
      name: 'Login with a heading',
      begin: { ...begin, heading: { title: 'Sign in to Acme Monitoring', text: 'to continue to grafana.example.com' } },
      api: { passkeys: calls() },
    },
    {
      name: 'Login without a password',
      begin: { ...begin, methods: ['passkey', 'link', 'providers'], providers: ['google'] },
      api: { passkeys: calls() },
    },
    { name: 'Login, last used', begin, api: { passkeys: calls() }, lastMethod: 'passkey' },
    { name: 'Login, asking', begin, api: { passkeys: calls() }, act: () => click('Sign in with a passkey') },
    {
      name: 'Login, failed',
      begin,
      api: { passkeys: calls({ passkeyOptions: answers(ofOtherDomain) }) },
      act: async () => {
        await click('Sign in with a passkey')
        await see('Your passkey couldn’t be used')
      },
    },
    { name: 'Second factor', begin, api: { getAuthTokenWithError: toPasskey(options), passkeys: calls() }, act: atPasskey },
    {
      name: 'Second factor, failed',
      begin,
      api: { getAuthTokenWithError: toPasskey(ofOtherDomain), passkeys: calls() },
      act: async () => {
        await atPasskey()
        await click('Use your passkey')
        await see('Your passkey couldn’t be used')
      },
    },
    {
      name: 'First set-up',
      begin,
      api: { getAuthTokenWithError: passLoginTo({ ...needsFactor, passkey: creation }), passkeys: calls() },
      act: atSetUp,
    },
    {
      name: 'First set-up, failed',
      begin,
      api: { getAuthTokenWithError: passLoginTo({ ...needsFactor, passkey: creation }), passkeys: calls() },
      act: async () => {
        await atSetUp()
        await click('Use a passkey instead')
        await see('A passkey couldn’t be created')
      },
    },
  ],
}
