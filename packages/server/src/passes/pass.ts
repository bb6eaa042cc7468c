import type { OwnPasses } from '@gatehouse/wire'
import type { UsedFactor } from '../db/schema.ts'

/** Which requests a pass may make, as its owner wrote it. */
export type PassScope = {
  /** Origins with path patterns, written like the `to` of a rule. */
  to: readonly string[]
  /** In upper case. `null`: every method. */
  methods: readonly string[] | null
  /** Addresses and networks. `null`: every network. */
  from: readonly string[] | null
}

type PassOwner =
  | { is: 'User'; userId: string; userIdent: string; userGroups: string; userProviderGroups: string }
  | { is: 'Service'; service: string }

/** A pass without its secret. */
export type Pass = {
  selector: string
  name: string
  owner: PassOwner
  scope: PassScope
  /** The second factor of the session in which the user created the pass. */
  factor: UsedFactor | null
  created: number
  expires: number
  used: number | null
  usedFrom: string | null
}

/** A pass as pages list it, without its owner. */
export const listedPass = (pass: Pass): OwnPasses['passes'][number] => ({
  passId: pass.selector,
  name: pass.name,
  to: [...pass.scope.to],
  methods: [...(pass.scope.methods ?? [])],
  from: [...(pass.scope.from ?? [])],
  created: iso(pass.created),
  expires: iso(pass.expires),
  ...(pass.used !== null && { used: iso(pass.used) }),
  ...(pass.usedFrom !== null && { usedFrom: pass.usedFrom }),
})

const iso = (instant: number) => new Date(Number(instant)).toISOString()
