import * as v from 'valibot'
import { noList, shape } from './decode.ts'

/** A body that says nothing. */
export const Empty = shape('Empty', noList(v.strictObject({})))
/** An answer whose body says nothing. */
export const Nothing = shape('Nothing', noList(v.object({})))
