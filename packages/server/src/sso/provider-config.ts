import type { SSOProvider, SsoProviderName } from '@gatehouse/wire'

/** A configured provider. */
export type ProviderConfig = {
  provider: SSOProvider
  /** The provider's name in addresses. */
  name: SsoProviderName
  issuer: string
  clientId: string
  clientSecret: string
  /** Whether a second factor at the provider is accepted, if the token shows one. */
  trusted: boolean
  /** Whether all users of the provider belong to one organization. If so, the server trusts their email addresses. */
  oneTenant: boolean
  /** Ids of the accepted Microsoft tenants. Empty if the issuer alone decides. */
  tenants: readonly string[]
  /** The groups that values of the claim `groups` stand for. Other values mean nothing. */
  groups: ReadonlyMap<string, string>
}
