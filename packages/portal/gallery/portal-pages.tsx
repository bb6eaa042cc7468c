import { AccountPage } from '../src/account-page.tsx'
import { NoticePage } from '../src/notice-page.tsx'
import { click, see } from './hand.ts'
import { answers, type Group, never } from './scene.ts'

const account = { username: 'ada@example.com', administrator: true, leave: () => {} }
const refused = () =>
  Promise.resolve({ ok: false, failure: { is: 'refused', message: 'too many requests', detail: '', status: 429 } } as const)

export const portalPages: Group = {
  name: 'Pages of the portal',
  scenes: [
    { name: 'Account', draw: () => <AccountPage {...account} api={{ logoutBySelf: answers('') }} /> },
    {
      name: 'Account, signing out',
      draw: () => <AccountPage {...account} api={{ logoutBySelf: never }} />,
      act: () => click('Sign out'),
    },
    {
      name: 'Account, sign-out failed',
      draw: () => <AccountPage {...account} api={{ logoutBySelf: refused }} />,
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
