/** An authenticator app, as another program describes it. */
export type SourceTotp = {
  line: number
  /** In Base32. */
  secret: string
  algorithm: string
  digits: number
  period: number
}

/** A WebAuthn credential, as another program describes it. Binary values are in standard Base64. */
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
  /** The user's name in the file. */
  name: string
  /** The email address as written in the file. Empty if the file has only a name. */
  address: string
  /** Where the address is in the file, for messages. */
  addressIn: string
  /** Undefined if the user has no password there. */
  hash: string | undefined
  groups: readonly string[]
  totp: readonly SourceTotp[]
  passkeys: readonly SourcePasskey[]
  isDisabled: boolean
}

/** A line without a usable user. `problem` repeats no part of the line that can be a secret. */
export type BadLine = { line: number; name: string; problem: string }

export type Source = AsyncIterable<SourceUser | BadLine> | Iterable<SourceUser | BadLine>
