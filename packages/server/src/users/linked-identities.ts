import type { SSOProvider } from '@gatehouse/wire'
import type { Identity } from '../credentials/credential-rules.ts'
import type { Row } from '../db/schema.ts'

type Account = Row<'users'>

export const providerColumns = { Google: 'userGoogleId', Azure: 'userAzureId', Pak: 'userPakId' } as const satisfies Record<
  SSOProvider,
  keyof Account
>
export const vouchColumns = { Google: 'userGoogleVouched', Azure: 'userAzureVouched', Pak: 'userPakVouched' } as const satisfies Record<
  SSOProvider,
  keyof Account
>

/** The columns for the identity with which an account is created. */
export const linkedColumns = ({ provider, id }: Identity, isVouched: boolean) => ({
  [providerColumns[provider]]: id,
  [vouchColumns[provider]]: isVouched ? id : null,
})

/** The linked identities that the account's own second factor vouched for. */
export const vouchedIdentities = (account: Account): Record<SSOProvider, string | null> => {
  const vouchedAt = (provider: SSOProvider) => {
    const id = account[vouchColumns[provider]]
    return id !== null && id === account[providerColumns[provider]] ? id : null
  }
  return { Google: vouchedAt('Google'), Azure: vouchedAt('Azure'), Pak: vouchedAt('Pak') }
}

export const providerIdOf = (account: Account, provider: SSOProvider): string | null => account[providerColumns[provider]]
