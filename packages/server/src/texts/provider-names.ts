import type { SSOProvider } from '@gatehouse/wire'

/** The names of the providers, which are the same in every language. */
export const providerNames: Record<SSOProvider, string> = { Google: 'Google', Azure: 'Microsoft', Pak: 'Pak Platform' }
