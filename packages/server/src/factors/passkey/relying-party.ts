/** The site that passkeys belong to (WebAuthn Level 3, §5.1.2). It cannot change while passkeys exist. */
export type RelyingParty = {
  /** The domain that a passkey is bound to. */
  rpId: string
  /** The origins whose pages may use the passkeys. */
  origins: readonly string[]
}
