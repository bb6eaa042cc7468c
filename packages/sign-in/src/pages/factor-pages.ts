import { plainPages, type SecondFactorType } from '@gatehouse/wire'
import type { Credentials, SignInPage } from '@gatehouse/wire/page-props'
import type { Messages } from '../messages/messages.ts'

/** The verification page asks for the type with the lowest number first. Passkeys have their own page, which a sign-in opens first. */
const preference: Record<SecondFactorType, number> = { TOTP: 0, Push: 1, Passkey: 2 }

/** The type to ask for first. A server that names no types asks for a code (§2). */
export const preferredType = (types: readonly SecondFactorType[] | undefined): SecondFactorType =>
  [...(types ?? [])].sort((a, b) => preference[a] - preference[b])[0] ?? 'TOTP'

/** The type that a verification page asks for first. A new factor is always verified by a code. */
export const verificationType = (page: Extract<SignInPage, { at: 'verify-factor' }>): SecondFactorType =>
  page.firstSetup || page.factorUUID !== undefined ? 'TOTP' : preferredType(page.factorTypes)

type Choice = { credentials: Credentials; factorTypes: readonly SecondFactorType[] | undefined }

/** The link to the page that verifies a factor of this type. `path` is the page without a script. */
const factorLink = (
  type: SecondFactorType,
  choice: Choice,
  { approveOnPhone, usePasskey }: Messages,
): { path: string; label: string; page: SignInPage } => {
  switch (type) {
    case 'TOTP':
      return { path: plainPages.secondFactor, label: approveOnPhone.useCode, page: { ...choice, at: 'verify-factor', firstSetup: false } }
    case 'Push':
      return { path: plainPages.approveOnPhone, label: approveOnPhone.title, page: { ...choice, at: 'approve-on-phone' } }
    case 'Passkey':
      return { path: plainPages.usePasskey, label: usePasskey.link, page: { ...choice, at: 'use-passkey' } }
  }
}

/** Links to the pages of the user's other factors. */
export const otherFactorLinks = (shown: SecondFactorType, choice: Choice, messages: Messages) =>
  (choice.factorTypes ?? []).filter(type => type !== shown).map(type => factorLink(type, choice, messages))

/**
 * Whether a factor's page links to the reset of the second factor. A page that links to the code page does not, because the code
 * page does. After a one-time link or a sign-in with a provider, the reset page asks for the password.
 */
export const offersReset = (shown: SecondFactorType, factorTypes: readonly SecondFactorType[] = []): boolean =>
  shown === 'TOTP' || !factorTypes.includes('TOTP')

type LaterPage = Exclude<SignInPage, { at: 'login' }>

/** The page to show where passkeys do not work: that of another second factor, if the user has one. */
export const withoutPasskey = (page: LaterPage): LaterPage => {
  if (page.at !== 'use-passkey') return page
  const factorTypes = page.factorTypes?.filter(type => type !== 'Passkey') ?? []
  return factorTypes.length > 0 ? { at: 'verify-factor', credentials: page.credentials, firstSetup: false, factorTypes } : page
}

/** The first page for a user with a passkey. The server can't tell whether passkeys work, so it renders another factor's page. */
export const withPasskeyFirst = (page: SignInPage): SignInPage => {
  const asks =
    (page.at === 'verify-factor' && !page.firstSetup && page.factorUUID === undefined) || (page.at === 'approve-on-phone' && !page.asked)
  if (!asks || !page.factorTypes?.includes('Passkey')) return page
  return { at: 'use-passkey', credentials: page.credentials, factorTypes: page.factorTypes }
}
