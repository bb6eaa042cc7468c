import { type SecondFactorType, unnamedAuthenticator } from '@gatehouse/wire'

/**
 * The name of a second factor as its user knows it.
 * @param factor without a type, an authenticator app
 * @param authenticatorApp the name, in the page's language, of an authenticator app that its user has not named
 */
export const factorName = (
  factor: { factorFriendlyName: string; factorFactorType?: SecondFactorType | null | undefined },
  authenticatorApp: string,
): string => {
  const isUnnamed = (factor.factorFactorType ?? 'TOTP') === 'TOTP' && factor.factorFriendlyName === unnamedAuthenticator
  return isUnnamed ? authenticatorApp : factor.factorFriendlyName
}
