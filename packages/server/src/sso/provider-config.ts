import type { SSOProvider, SsoProviderName } from '@gatehouse/wire'

/** A provider by which people may sign in. */
export type ProviderConfig = {
  provider: SSOProvider
  /** Its name in addresses. */
  name: SsoProviderName
  issuer: string
  clientId: string
  clientSecret: string
  /** Whether its own second factor counts, where its answer shows one. */
  trusted: boolean
  /** Whether all its people are of one organisation, whose word for their addresses is taken. */
  oneTenant: boolean
  /** Ids of the Microsoft tenants whose people are let in; none where the issuer alone says whose. */
  tenants: readonly string[]
}
