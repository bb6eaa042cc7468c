import type { Origin } from '@gatehouse/wire'
import { accountTexts } from './messages/current.ts'

/** `Firefox on Linux`. */
export const deviceOf = ({ browser, system }: Origin): string => {
  if (browser == null) return accountTexts.device.unknown
  return system == null ? browser : accountTexts.device.on(browser, system)
}

/** The IP address, and what is known about its network. */
export const placeOf = ({ address, place }: Origin): string => (place === 'Elsewhere' ? address : accountTexts.place[place](address))
