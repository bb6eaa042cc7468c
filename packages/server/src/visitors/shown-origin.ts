import type { Origin } from '@gatehouse/wire'
import { deviceOf } from './device.ts'
import { placeOf } from './place.ts'

/** Where a request came from, as pages show it. `here` is the address of the user who looks at it. */
export const shownOrigin = (address: string, userAgent: string, here: string): Origin => ({
  address,
  place: placeOf(address, here),
  ...deviceOf(userAgent),
})
