import type { Origin } from '@gatehouse/wire'
import { englishAccount as words } from './messages/en-account.ts'

/** `Firefox on Linux`. */
export const deviceOf = ({ browser, system }: Origin): string => words.device(browser ?? undefined, system ?? undefined)

/** The IP address, and what is known about its network. */
export const placeOf = ({ address, place }: Origin): string => {
  const about = words.place[place]
  return about ? `${address} (${about})` : address
}
