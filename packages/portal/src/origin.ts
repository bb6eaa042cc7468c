import type { Origin } from '@gatehouse/wire'
import { accountTexts } from './messages/current.ts'

/** `Firefox on Linux`. */
export const deviceOf = ({ browser, system }: Origin): string => accountTexts.device(browser ?? undefined, system ?? undefined)

/** The IP address, and what is known about its network. */
export const placeOf = ({ address, place }: Origin): string => {
  const about = accountTexts.place[place]
  return about ? `${address} (${about})` : address
}
