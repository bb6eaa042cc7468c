import type { OwnAccount } from '@gatehouse/wire'
import { AccountPage } from '../src/account/account-page.tsx'
import { accountApi, adas } from '../src/testing/own-account.ts'

type Props = Parameters<typeof AccountPage>[0]

/** A call that the server refuses. */
export const refused =
  (message: string, status = 429) =>
  () =>
    Promise.resolve({ ok: false, failure: { is: 'refused', message, detail: '', status } } as const)

/** The account page of somebody of whom not all is as with Ada. */
export const account = (of: Partial<OwnAccount> = {}, api: Partial<Props['api']> = {}) => (
  <AccountPage
    account={{ ...adas, ...of }}
    base=""
    visit={() => {}}
    leave={() => {}}
    save={() => {}}
    print={() => {}}
    api={accountApi({ userAccount: () => Promise.resolve({ ok: true, value: { ...adas, ...of } }), ...api })}
  />
)
