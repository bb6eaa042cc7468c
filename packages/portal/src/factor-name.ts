import { type SecondFactorType, unnamedAuthenticator } from '@gatehouse/wire'

/**
 * The name of a second factor as its user knows it.
 * @param factor without a type it is an authenticator app
 * @param authenticatorApp an authenticator app in the page's language: the name of one that its user has not named
 */
export const factorName = (
  factor: { factorFriendlyName: string; factorFactorType?: SecondFactorType | null | undefined },
  authenticatorApp: string,
): string => {
  const isUnnamed = (factor.factorFactorType ?? 'TOTP') === 'TOTP' && factor.factorFriendlyName === unnamedAuthenticator
  return isUnnamed ? authenticatorApp : factor.factorFriendlyName
}
