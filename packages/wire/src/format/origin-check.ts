import * as v from 'valibot'
import { type Infer, shape } from './decode.ts'

/**
 * Response of /origin/check: whether a page of the calling origin can sign in at this server. `NotListed`: the origin must be added to
 * GATEHOUSE_ORIGINS. `OtherSite`: the page belongs to another site, so browsers withhold the server's cookies.
 */
export const OriginCheck = shape('OriginCheck', v.object({ pageOrigin: v.picklist(['Allowed', 'NotListed', 'OtherSite']) }))
export type OriginCheck = Infer<typeof OriginCheck>
