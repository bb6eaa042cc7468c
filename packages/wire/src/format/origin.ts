import * as v from 'valibot'
import { maybe } from './decode.ts'

const places = ['Here', 'Server', 'Inside', 'Elsewhere', 'Unknown'] as const
/**
 * What an address alone says of where somebody is: at the address that asks, on the server's own machine, in a private network,
 * or somewhere else.
 */
export type Place = (typeof places)[number]

/** Schema of Origin. */
export const origin = v.object({
  address: v.string(),
  place: v.picklist(places),
  browser: maybe(v.string()),
  system: maybe(v.string()),
})
/** Where something came from; `browser` and `system` are names of ours, and not there where the browser told nothing we know. */
export type Origin = v.InferOutput<typeof origin>
