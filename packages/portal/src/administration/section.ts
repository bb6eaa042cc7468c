import type { AdministrationOverview } from '@gatehouse/wire'
import type { AdministrationApi } from './administration-api.ts'
import type { Instants } from './instants.ts'
import type { Acting } from './use-act.ts'

/** What every section of the page is handed. */
export type SectionProps = {
  /** The administrator's own name and time zone. */
  username: string
  zone: string
  base: string
  instants: Instants
  /** How many users there are of each kind; not there before they are read. */
  figures: AdministrationOverview | undefined
  api: AdministrationApi
  acting: Acting
  /** How many acts were done on this page: what they may have changed is read again. */
  changes: number
  /** Whether somebody came here on this page, and the heading is to be read out. */
  moved: boolean
  visit: (location: string) => void
}
