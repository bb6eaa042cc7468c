/** Addresses a browser navigates to. */
export const pages = {
  /** The token page, which the browser opens with the hand-over code after a sign-in. */
  token: (selector: string, token: string) => `/auth/page/plow/${encodeURIComponent(selector)}/${encodeURIComponent(token)}`,
  /** The start of single sign-on with a provider. */
  ssoLogin: (provider: SsoProviderName) => `/auth/page/plow/ssoLogin?provider=${provider}`,
} as const

/** The providers' names in addresses (§9). */
export type SsoProviderName = 'google' | 'azure' | 'pak'
