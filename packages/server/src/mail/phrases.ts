import type { SSOProvider } from '@gatehouse/wire'

export const providerNames: Record<SSOProvider, string> = { Google: 'Google', Azure: 'Microsoft', Pak: 'Pak Platform' }

/** Ends a text; the product's address, which is the sign-in page's, follows on its own line. */
export const viaForgot = 'Choose ‘Forgot your password?’ on the sign-in page:'

export const notYou = {
  title: 'If this wasn’t you',
  text: `Reset your password now and tell your administrator. ${viaForgot}`,
  visit: true,
}

/** For mail about a second factor that someone was asked for: they had entered the right password. */
export const passwordKnown = { ...notYou, text: `Someone knows your password. ${notYou.text}` }
