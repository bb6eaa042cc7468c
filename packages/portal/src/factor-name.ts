import { type SecondFactorType, unnamedAuthenticator } from '@gatehouse/wire'

/**
 * The name of a second factor as its user knows it.
 * @param factor counts as an authenticator app if it has no type
 * @param authenticatorApp the name, in the page's language, of an authenticator app that its user has not named
 */
export const factorName = (
  factor: { factorFriendlyName: string; factorFactorType?: SecondFactorType | null | undefined },
  authenticatorApp: string,
): string => {
  const isUnnamed = (factor.factorFactorType ?? 'TOTP') === 'TOTP' && factor.factorFriendlyName === unnamedAuthenticator
  return isUnnamed ? authenticatorApp : factor.factorFriendlyName
}
