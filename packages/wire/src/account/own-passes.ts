import * as v from 'valibot'
import { count } from '../format/count.ts'
import { type Infer, maybe, shape, utcTime } from '../format/decode.ts'
import { id, upTo } from '../format/text.ts'

/** How many entries each list of a pass's scope may have. */
export const maxPassEntries = 20

const words = (longest: number) =>
  v.pipe(v.array(upTo(longest)), v.maxLength(maxPassEntries, `must have at most ${maxPassEntries} entries`))

/** The scope of a pass: addresses written like the `to` of a rule, methods, and networks. Empty methods and networks mean all. */
export const passScope = { to: words(2048), methods: words(64), from: words(64) }

/**
 * Asks for a pass, with which a program reaches protected applications.
 * `days`: how long it is valid, 1 to 365.
 */
export const PassRequest = shape('PassRequest', v.strictObject({ name: upTo(256), ...passScope, days: count }))
export type PassRequest = Infer<typeof PassRequest>

/** The new pass. The server shows it once and stores only its hash. */
export const NewPass = shape('NewPass', v.object({ pass: v.string() }))
export type NewPass = Infer<typeof NewPass>

/** A pass without its owner. */
export const listedPass = v.object({
  passId: v.string(),
  name: v.string(),
  ...passScope,
  created: utcTime,
  expires: utcTime,
  used: maybe(utcTime),
  /** The address of the last use. */
  usedFrom: maybe(v.string()),
})

/** The user's passes, newest first, and the origins where a rule admits passes. Without such an origin, a pass is useless. */
export const OwnPasses = shape(
  'OwnPasses',
  v.object({
    passes: v.pipe(v.array(listedPass), v.maxLength(1000)),
    origins: v.pipe(v.array(v.string()), v.maxLength(1000)),
    most: count,
  }),
)
export type OwnPasses = Infer<typeof OwnPasses>

/** Ends a pass of the user, on all servers. */
export const PassEndRequest = shape('PassEndRequest', v.strictObject({ passId: id }))
export type PassEndRequest = Infer<typeof PassEndRequest>
