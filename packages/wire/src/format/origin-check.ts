import * as v from 'valibot'
import { type Infer, shape } from './decode.ts'

/**
 * Answer of /origin/check: whether a page of the asking origin can sign in at this server. `NotListed`: it has to be in
 * GATEHOUSE_ORIGINS. `OtherSite`: the page is of another site, so browsers keep the server's cookies back.
 */
export const OriginCheck = shape('OriginCheck', v.object({ pageOrigin: v.picklist(['Allowed', 'NotListed', 'OtherSite']) }))
export type OriginCheck = Infer<typeof OriginCheck>
