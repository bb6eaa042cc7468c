import type { PendingChallenge, PushPending, PushStatus } from '@gatehouse/wire'
import type { ApproverApi } from '../src/approver/approver-api.ts'
import { ApproverPage } from '../src/approver/approver-page.tsx'
import type { PhoneAccount, PhoneAccounts } from '../src/approver/phone-accounts.ts'
import type { PhoneDevice } from '../src/approver/phone-device.ts'
import { answers, type Group, never, refused, unreachable } from './scene.ts'
import { click, fill, see } from './user-steps.ts'

const product = { productName: 'Acme Monitoring', origin: 'https://sign-in.example.com' }
const longest = `${'long.name.'.repeat(6)}@${'sub.'.repeat(12)}example.com`
const enrolled = { factorUUID: '7c9e6679-7425-40de-944b-e07fc1f90ae7', userId: 'u_1', username: 'ada@example.com', ...product }
const request: PendingChallenge = {
  challengeUUID: 'f47ac10b-58cc-4372-a567-0e02b2c3d479',
  challengeDateCreated: '2026-11-20T03:00:00Z',
  challengeExpires: '2046-11-20T03:02:00Z',
  username: 'ada@example.com',
  from: { address: '203.0.113.7', place: 'Elsewhere', browser: 'Firefox', system: 'Linux' },
  isEnrolment: false,
}
const wake: PushPending['wake'] = { webPushKey: 'key', subscribed: false }
const pendingOf = (of: Partial<PushPending> = {}): PushPending => ({
  pending: null,
  factorFriendlyName: 'Pixel 7',
  verified: true,
  wake,
  ...of,
})
const status = (of: Partial<PushStatus> = {}): PushStatus => ({
  challengeUUID: request.challengeUUID,
  challengeStatus: 'Approved',
  challengeRespondedReason: { tag: 'ReasonNone' },
  ...of,
})

const withKey = async (account: Omit<PhoneAccount, 'privateKey'>): Promise<PhoneAccount> => {
  const { privateKey } = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign', 'verify'])
  return { ...account, privateKey }
}
const phone = async (...accounts: Omit<PhoneAccount, 'privateKey'>[]): Promise<PhoneAccounts> => {
  const kept = await Promise.all(accounts.map(withKey))
  return { list: async () => kept, keep: async () => {}, forget: async () => {} }
}
const device = (of: Partial<PhoneDevice> = {}): PhoneDevice => ({
  name: 'Pixel 7',
  wantsHomeScreen: false,
  notifications: () => 'granted',
  askForNotifications: never,
  subscription: never,
  clearNotifications: async () => {},
  onPush: () => () => {},
  onInstallable: () => () => {},
  ...of,
})
const api = (of: Partial<ApproverApi> = {}): ApproverApi => ({
  enrol: never,
  nonce: answers({ nonce: 'nonce' }),
  pending: answers(pendingOf()),
  answer: never,
  subscribe: answers(undefined),
  leave: never,
  listen: () => () => {},
  ...of,
})
const asked = (of: Partial<PendingChallenge> = {}) => answers(pendingOf({ pending: { ...request, ...of } }))

type Props = Partial<Parameters<typeof ApproverPage>[0]>
const open = () => phone(enrolled)
const draw = (props: Props = {}) => (
  <ApproverPage
    link={undefined}
    address="https://sign-in.example.com/approve"
    api={api()}
    device={device()}
    isSecure
    openAccounts={open}
    {...props}
  />
)
const empty = () => phone()
const link = { selector: 'Zk3vQ8xT1nR5bW7y', token: 'c2FtcGxlLXRva2Vu' }

const type = async (number = '012345') => {
  await fill('Number on your other screen', number)
  await click('Approve')
}
const deny = async () => {
  await click('This was not me')
  await click('Block this sign-in')
}
const ending = (name: string, of: Partial<PushStatus>, text: string, isEnrolment = false) => ({
  name,
  draw: () => draw({ api: api({ pending: asked({ isEnrolment }), answer: answers(status(of)) }) }),
  act: async () => {
    await type()
    await see(text)
  },
})

/** The approver in every state. */
export const approver: Group = {
  name: 'Pages of the approver',
  scenes: [
    { name: 'Opening', draw: () => draw({ openAccounts: never }) },
    { name: 'Plain http', draw: () => draw({ isSecure: false }), act: () => see('You can’t use this browser here') },
    {
      name: 'No store',
      draw: () => draw({ openAccounts: () => Promise.reject(new Error('none')) }),
      act: () => see('You can’t use this browser here'),
    },
    { name: 'Not set up', draw: () => draw({ openAccounts: empty }), act: () => see('Set up this phone') },
    {
      name: 'Not set up, no link',
      draw: () => draw({ openAccounts: empty }),
      act: async () => {
        await fill('Or paste the link', 'https://elsewhere.example/')
        await click('Continue')
        await see('That isn’t a set-up link')
      },
    },
    { name: 'Set up', draw: () => draw({ link, openAccounts: empty }), act: () => see('Phone name') },
    {
      name: 'Set up on an iPhone',
      draw: () => draw({ link, openAccounts: empty, device: device({ name: 'iPhone', wantsHomeScreen: true }) }),
      act: () => see('Add to Home Screen'),
    },
    {
      name: 'Set up, no name',
      draw: () => draw({ link, openAccounts: empty }),
      act: async () => {
        await fill('Phone name', ' ')
        await click('Set up this phone')
        await see('Enter a name.')
      },
    },
    {
      name: 'Setting up',
      draw: () => draw({ link, openAccounts: empty }),
      act: async () => {
        await click('Set up this phone')
        await see('Setting up')
      },
    },
    {
      name: 'Link used',
      draw: () => draw({ link, openAccounts: empty, api: api({ enrol: refused('selector: is used', 410) }) }),
      act: async () => {
        await click('Set up this phone')
        await see('This link has been used or has expired')
      },
    },
    {
      name: 'Waits for the number',
      draw: () => draw({ api: api({ pending: answers(pendingOf({ verified: false })) }) }),
      act: () => see('One last step'),
    },
    {
      name: 'First number',
      draw: () => draw({ api: api({ pending: asked({ isEnrolment: true }) }) }),
      act: () => see('Type the number from your account page'),
    },
    ending('Set up and done', {}, 'Number accepted', true),
    { name: 'Nothing to approve', draw: () => draw(), act: () => see('Notifications are on') },
    {
      name: 'Several accounts, other notification channels',
      draw: () =>
        draw({
          device: device({ notifications: () => 'denied' }),
          openAccounts: () => phone(enrolled, { ...enrolled, factorUUID: '550e8400-e29b-41d4-a716-446655440000', username: longest }),
          api: api({
            pending: answers(
              pendingOf({
                wake: {
                  ...wake,
                  ntfy: { url: 'https://ntfy.example.com', topic: 'gatehouse-7fR2kQ9xW3mB8vT1nZ5yLc' },
                  gotify: { url: 'https://gotify.example.com' },
                },
              }),
            ),
          }),
        }),
      act: () => click('Other notification channels'),
    },
    {
      name: 'Notifications off',
      draw: () =>
        draw({
          device: device({
            notifications: () => 'default',
            onInstallable: report => {
              report(never)
              return () => {}
            },
          }),
        }),
      act: () => see('Add to home screen'),
    },
    { name: 'Offline', draw: () => draw({ api: api({ nonce: unreachable }) }), act: () => see('The server isn’t responding') },
    {
      name: 'Offline, with a request',
      draw: () => {
        let times = 0
        const nonce = () => (times++ === 0 ? answers({ nonce: 'nonce' })() : unreachable())
        const onPush = (listener: () => void) => {
          const soon = setTimeout(listener, 400)
          return () => clearTimeout(soon)
        }
        return draw({ device: device({ onPush }), api: api({ nonce, pending: asked() }) })
      },
      act: () => see('The server isn’t responding'),
    },
    { name: 'Request', draw: () => draw({ api: api({ pending: asked() }) }), act: () => see('Is this you?') },
    {
      name: 'Request, the longest name',
      draw: () =>
        draw({
          api: api({
            pending: asked({ username: longest, from: { address: '2001:db8:85a3:8d3:1319:8a2e:370:7348', place: 'Elsewhere' } }),
          }),
        }),
      act: () => see('Is this you?'),
    },
    {
      name: 'Too few digits',
      draw: () => draw({ api: api({ pending: asked() }) }),
      act: async () => {
        await type('012')
        await see('Type the six digits')
      },
    },
    {
      name: 'Approving',
      draw: () => draw({ api: api({ pending: asked() }) }),
      act: async () => {
        await type()
        await see('Approving')
      },
    },
    {
      name: 'Not sent',
      draw: () => draw({ api: api({ pending: asked(), answer: unreachable }) }),
      act: async () => {
        await type()
        await see('wasn’t sent')
      },
    },
    ending('Approved', {}, 'You can go back to your other screen'),
    ending('Another number', { challengeStatus: 'Denied', challengeRespondedReason: { tag: 'InvalidCode' } }, 'Wrong number'),
    ending('Not needed', { challengeStatus: 'Denied', challengeRespondedReason: { tag: 'NotNeeded' } }, 'No longer needed'),
    ending('Refused', { challengeStatus: 'Denied', challengeRespondedReason: { tag: 'MissingSecret' } }, 'Not approved'),
    ending('Request expired', { challengeStatus: 'Expired' }, 'Request expired'),
    {
      name: 'Not me, sure',
      draw: () => draw({ api: api({ pending: asked() }) }),
      act: async () => {
        await click('This was not me')
        await see('Block this sign-in?')
      },
    },
    {
      name: 'Not me, stopping',
      draw: () => draw({ api: api({ pending: asked() }) }),
      act: async () => {
        await deny()
        await see('Blocking')
      },
    },
    {
      name: 'Not me, stopped',
      draw: () =>
        draw({
          api: api({
            pending: asked(),
            answer: answers(status({ challengeStatus: 'Denied', challengeRespondedReason: { tag: 'NotRequested' } })),
          }),
        }),
      act: async () => {
        await deny()
        await see('Sign-in blocked')
      },
    },
    {
      name: 'Remove',
      draw: () => draw(),
      act: async () => {
        await click('Remove ada@example.com')
        await see('This deletes the phone’s key')
      },
    },
    {
      name: 'Remove, the last factor',
      draw: () => draw({ api: api({ leave: refused('factor: the last one stays', 409) }) }),
      act: async () => {
        await click('Remove ada@example.com')
        await click('Remove')
        await see('This is your only second factor')
      },
    },
    {
      name: 'Removed',
      draw: () => draw({ api: api({ pending: refused('factorUUID: is gone', 410) }) }),
      act: () => see('This phone was removed'),
    },
  ],
}
