import * as v from 'valibot'
import { noList, shape } from './decode.ts'

/** An empty request body. */
export const Empty = shape('Empty', noList(v.strictObject({})))
/** An empty response body. */
export const Nothing = shape('Nothing', noList(v.object({})))
