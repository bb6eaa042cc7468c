/** An authenticator app in another program's words. */
export type SourceTotp = {
  line: number
  /** In Base32. */
  secret: string
  algorithm: string
  digits: number
  period: number
}

/** A WebAuthn credential in another program's words; binary values in standard Base64. */
export type SourcePasskey = {
  line: number
  rpId: string
  name: string
  credentialId: string
  publicKey: string
  counter: number
  transports: readonly string[]
  aaguid: string
  isVerified: boolean
  isSynced: boolean
  isLegacy: boolean
}

/** A user of another program. */
export type SourceUser = {
  line: number
  /** As the file names the user. */
  name: string
  /** The email address, as the file has it. Empty if the file has only a name. */
  address: string
  /** Where the file has the address, for messages. */
  addressIn: string
  /** Undefined if the user has no password there. */
  hash: string | undefined
  groups: readonly string[]
  totp: readonly SourceTotp[]
  passkeys: readonly SourcePasskey[]
  isDisabled: boolean
}

/** A line that names no user, or names one wrongly. The problem repeats no part of the line that can be a secret. */
export type BadLine = { line: number; name: string; problem: string }

export type Source = AsyncIterable<SourceUser | BadLine> | Iterable<SourceUser | BadLine>
