import type { People } from '../protected-origin.ts'
import type { Networks } from './networks.ts'

/** Which requests a rule is about, and who may make them. The first rule that matches decides. */
export type Rule = {
  /** Its place in the list, from 1. */
  number: number
  to: readonly Target[]
  /** In upper case. `undefined`: every method. */
  methods: ReadonlySet<string> | undefined
  /** The networks that the client must be in. `undefined`: every network. */
  from: Networks | undefined
  effect: Effect
}

/** An origin, and the paths there. Origins have no wildcards: every protected host is known by name. */
export type Target = { origin: string; path: PathPattern | undefined }

export type PathPattern = {
  /** As in a `URLPattern`, for example `/api/*`. */
  text: string
  /** @param path see `readingsOf` */
  fits: (path: string) => boolean
}

export type Effect =
  | { is: 'Deny' }
  /** Needs no sign-in, so it cannot require a second factor or a recent sign-in. */
  | { is: 'Everyone' }
  | { is: 'Allow'; who: readonly Who[]; require: Requirement }

/** `Pass`: programs with a pass, if the rule names its owner as well, or the owner is a service. */
export type Who = { is: 'Users' } | People | { is: 'Group'; group: string } | { is: 'Pass' }

export type Requirement = {
  secondFactor: boolean
  phishingResistant: boolean
  /** How long ago the user may have signed in or reauthenticated, in milliseconds. */
  fresh: number | undefined
}
