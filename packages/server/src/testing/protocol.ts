/** A user to create. Binary values are in base64url. */
export type SeedUser = {
  email: string
  /** Of any strength. `null` for a user without one. */
  password: string | null
  administrator: boolean
  groups: readonly string[]
  /** The secret of an authenticator app in Base32. */
  totpSecret: string | null
  /** `publicKey` is a COSE key. */
  passkey: { credentialId: string; publicKey: string } | null
}

/** A created user, with the address as the server writes it. */
export type SeededUser = { id: string; email: string; passkeyHandle: string | null }

/** An email that the server would have sent. `at` is in ISO 8601. */
export type CaughtMail = { to: string; from: string; subject: string; text: string; html: string; at: string }

/** What @gatehouse/testing sends to its server. The first message is `start`, and carries the socket to listen on. */
export type TestRequest =
  | { do: 'start'; users: readonly SeedUser[] }
  | { do: 'add-user'; id: number; user: SeedUser }
  | { do: 'accept-codes-again'; id: number; userId: string }

/** What the server sends to @gatehouse/testing. */
export type TestMessage =
  | { is: 'ready'; version: string; url: string; rpId: string | null; users: readonly SeededUser[] }
  | { is: 'done'; id: number; user?: SeededUser }
  | { is: 'refused'; id: number; says: string }
  | { is: 'mail'; mail: CaughtMail }
