import type { PasskeySignals } from '@gatehouse/wire'

// The Signal API (WebAuthn Level 3, §5.1.10) is newer than the DOM library. Browsers without it keep what they have.

type Signals = {
  signalAllAcceptedCredentials?: (accepted: Pick<PasskeySignals, 'rpId' | 'userId' | 'allAcceptedCredentialIds'>) => Promise<void>
  signalCurrentUserDetails?: (details: Pick<PasskeySignals, 'rpId' | 'userId' | 'name' | 'displayName'>) => Promise<void>
  signalUnknownCredential?: (unknown: { rpId: string; credentialId: string }) => Promise<void>
}
const browser = () => PublicKeyCredential as Signals

/**
 * Tells the password manager the user's passkeys and current name. It then hides or forgets all other passkeys of the user. Never rejects,
 * although a password manager may refuse.
 */
export const signalPasskeys = async ({ rpId, userId, name, displayName, allAcceptedCredentialIds }: PasskeySignals): Promise<void> => {
  const signals = browser()
  await Promise.allSettled([
    signals.signalAllAcceptedCredentials?.({ rpId, userId, allAcceptedCredentialIds }),
    signals.signalCurrentUserDetails?.({ rpId, userId, name, displayName }),
  ])
}

/** Tells the password manager to forget a passkey that the server does not know. */
export const signalUnknown = (rpId: string, credentialId: string): void =>
  void browser()
    .signalUnknownCredential?.({ rpId, credentialId })
    .catch(() => {})
