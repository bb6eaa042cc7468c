/** What a browser navigates to. */
export const pages = {
  /** Where the browser goes after a sign-in: the hand-over code's page. */
  token: (selector: string, token: string) => `/auth/page/plow/${encodeURIComponent(selector)}/${encodeURIComponent(token)}`,
  /** Where a single sign-on starts; `provider` is `google`, `azure` or `pak`. */
  ssoLogin: (provider: SsoProviderName) => `/auth/page/plow/ssoLogin?provider=${provider}`,
} as const

/** Names of the single-sign-on providers as they stand in addresses (§9). */
export type SsoProviderName = 'google' | 'azure' | 'pak'
