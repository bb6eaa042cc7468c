import * as v from 'valibot'
import { shape } from './decode.ts'

/** Accepts every JSON value. For a host page's calls to its own server, without a schema library. Never use it to call Gatehouse. */
export const anyJson = shape('Json', v.unknown())
