/** An origin that a proxy asks us about, and who may enter it. */
export type ProtectedOrigin = {
  origin: string
  /** Whoever is one of them may enter; where nobody is named, everybody who is signed in. */
  people: readonly People[]
  /** Whether a second factor must have been used besides. */
  secondFactor: boolean
}

export type People = { is: 'Administrators' } | { is: 'Address'; userIdent: string } | { is: 'Domain'; domain: string }
