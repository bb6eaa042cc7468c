import * as v from 'valibot'
import { maybe } from './decode.ts'

const places = ['Here', 'Server', 'Inside', 'Elsewhere', 'Unknown'] as const
/**
 * What an address reveals about a visitor's location: the same address as the viewer (`Here`), the server's own machine (`Server`), a
 * private network (`Inside`), or anywhere else (`Elsewhere`).
 */
export type Place = (typeof places)[number]

/** Schema of Origin. */
export const origin = v.object({
  address: v.string(),
  place: v.picklist(places),
  browser: maybe(v.string()),
  system: maybe(v.string()),
})
/** Where a request came from. `browser` and `system` are names from our own list, absent if the User-Agent matches none. */
export type Origin = v.InferOutput<typeof origin>
