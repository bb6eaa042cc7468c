import * as v from 'valibot'
import { shape } from './decode.ts'

/** Accepts every JSON value. For calls of a page to its own server, without a schema library. Never use it for a call of Gatehouse. */
export const anyJson = shape('Json', v.unknown())
