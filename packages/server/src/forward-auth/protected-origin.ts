/** An origin that a proxy protects with Gatehouse, and who may open it. */
export type ProtectedOrigin = {
  origin: string
  /** The users who may open it; empty for all signed-in users. */
  people: readonly People[]
  /** Whether the session must have used a second factor. */
  secondFactor: boolean
  /** Whether the user must have signed in or reauthenticated with a passkey. */
  phishingResistant: boolean
}

export type People = { is: 'Administrators' } | { is: 'Address'; userIdent: string } | { is: 'Domain'; domain: string }
