import * as v from 'valibot'
import { shape } from './decode.ts'

/** Accepts every JSON value. For pages without a schema library, and never for a call of ours. */
export const anyJson = shape('Json', v.unknown())
