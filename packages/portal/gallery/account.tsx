import type { OwnAccount } from '@gatehouse/wire'
import { AccountPage } from '../src/account/account-page.tsx'
import { accountApi, adas, now } from '../src/testing/own-account.ts'

type Props = Parameters<typeof AccountPage>[0]

/** Ada's account page, with changes. */
export const account = (of: Partial<OwnAccount> = {}, api: Partial<Props['api']> = {}) => (
  <AccountPage
    account={{ ...adas, ...of }}
    base=""
    now={now}
    dashboard={{ name: 'grafana.example.com', href: '#' }}
    languages={[
      { tag: 'en', name: 'English' },
      { tag: 'de', name: 'Deutsch' },
      { tag: 'ar', name: 'العربية' },
    ]}
    visit={() => {}}
    leave={() => {}}
    save={() => {}}
    print={() => {}}
    api={accountApi({ userAccount: () => Promise.resolve({ ok: true, value: { ...adas, ...of } }), ...api })}
  />
)
