import { englishAccount as words } from '@gatehouse/sign-in'
import type { Origin } from '@gatehouse/wire'

/** `Firefox on Linux`. */
export const deviceOf = ({ browser, system }: Origin): string => words.device(browser ?? undefined, system ?? undefined)

/** The address, and what it says by itself of where that is. */
export const placeOf = ({ address, place }: Origin): string => {
  const about = words.place[place]
  return about ? `${address} (${about})` : address
}
