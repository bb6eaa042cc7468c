import type { OwnAccount } from '@gatehouse/wire'
import { accountTexts } from '../messages/current.ts'
import { withElements } from '../messages/with-elements.tsx'
import { TimeAgo } from './time-ago.tsx'

type Listed = OwnAccount['factors'][number]
type FactorTimesProps = { added: Listed['factorDateCreated']; used: Listed['factorDateLastUsed']; zone: string }

/** When a second factor was added and last used. */
export const FactorTimes = ({ added, used, zone }: FactorTimesProps) => {
  const words = accountTexts.factors
  const sinceAdded = <TimeAgo at={added} zone={zone} />
  return used == null ? withElements(words.neverUsed, sinceAdded) : withElements(words.used, sinceAdded, <TimeAgo at={used} zone={zone} />)
}
