import type { PasskeySignals } from '@gatehouse/wire'

// The Signal API (WebAuthn Level 3, §5.1.10) is newer than the DOM library. Browsers without it keep what they have.

type Signals = {
  signalAllAcceptedCredentials?: (accepted: Pick<PasskeySignals, 'rpId' | 'userId' | 'allAcceptedCredentialIds'>) => Promise<void>
  signalUnknownCredential?: (unknown: { rpId: string; credentialId: string }) => Promise<void>
}
const browser = () => PublicKeyCredential as Signals

/** Tells the password manager which passkeys exist, so that it hides or forgets all others of the user. */
export const signalAccepted = async ({ rpId, userId, allAcceptedCredentialIds }: PasskeySignals): Promise<void> => {
  await browser()
    .signalAllAcceptedCredentials?.({ rpId, userId, allAcceptedCredentialIds })
    .catch(() => {})
}

/** Tells the password manager to forget a passkey that the server does not know. */
export const signalUnknown = (rpId: string, credentialId: string): void =>
  void browser()
    .signalUnknownCredential?.({ rpId, credentialId })
    .catch(() => {})
