import * as v from 'valibot'
import { listedPass, passScope } from '../account/own-passes.ts'
import { count } from '../format/count.ts'
import { type Infer, maybe, noList, shape } from '../format/decode.ts'
import { id, upTo } from '../format/text.ts'

/** Whose passes the administration page lists. */
export const passHolders = ['All', 'Users', 'Services'] as const
/** One of {@link passHolders}. */
export type PassHolders = (typeof passHolders)[number]

/**
 * Query of the list of passes: a search text (part of the pass's name, or of its owner's address or name), the kind of owner
 * (`holders`), and the cursor of the previous page. With `userId` or `service`, only the passes of this owner. Sorted by expiry,
 * earliest first.
 */
export const PassListRequest = shape(
  'PassListRequest',
  noList(
    v.strictObject({
      search: v.optional(upTo(320)),
      holders: v.optional(v.picklist(passHolders)),
      userId: v.optional(id),
      service: v.optional(upTo(63)),
      after: v.optional(upTo(400)),
    }),
  ),
)
export type PassListRequest = Infer<typeof PassListRequest>

/** A pass of any owner: either a user or a service. */
const administered = v.object({
  ...listedPass.entries,
  user: maybe(v.object({ userId: v.string(), userIdent: v.string() })),
  service: maybe(v.string()),
})
/** A pass in the list of all passes. */
export const AdministeredPass = shape('AdministeredPass', administered)
export type AdministeredPass = Infer<typeof AdministeredPass>

/**
 * A page of the list. `after` is the cursor of the next page, if there is one. `counts`: how many passes the search finds. `origins`: where
 * a rule admits passes. `most`: how many passes all services together may have; `services`: how many they have.
 */
export const PassList = shape(
  'PassList',
  v.object({
    passes: v.pipe(v.array(administered), v.maxLength(1000)),
    after: maybe(v.string()),
    counts: v.object({ All: count, Users: count, Services: count }),
    origins: v.pipe(v.array(v.string()), v.maxLength(1000)),
    services: count,
    most: count,
  }),
)
export type PassList = Infer<typeof PassList>

/** Asks for a pass of a service. `days`: how long it is valid, 1 to 365. */
export const ServicePassRequest = shape(
  'ServicePassRequest',
  v.strictObject({ service: upTo(63), name: upTo(256), ...passScope, days: count }),
)
export type ServicePassRequest = Infer<typeof ServicePassRequest>

/** Ends every pass of one owner, a user or a service, on all servers. Exactly one of the two must be given. */
export const PassesEndRequest = shape('PassesEndRequest', noList(v.strictObject({ userId: v.optional(id), service: v.optional(upTo(63)) })))
export type PassesEndRequest = Infer<typeof PassesEndRequest>
