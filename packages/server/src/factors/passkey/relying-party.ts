/** The site that passkeys belong to (WebAuthn Level 3, §4). Existing passkeys do not work with another RP ID. */
export type RelyingParty = {
  /** The domain that a passkey is bound to. */
  rpId: string
  /** The origins whose pages may use the passkeys. */
  origins: readonly string[]
}
