import type { DateTimeFormat } from '@gatehouse/wire'
import type { Actions } from '../actions/use-actions.ts'
import type { AdministrationApi } from './administration-api.ts'
import type { AdministratorAction } from './user-action.ts'

/** The props of every section. */
export type SectionProps = {
  /** The administrator's own name and time zone. */
  username: string
  zone: string
  base: string
  dates: DateTimeFormat
  api: AdministrationApi
  actions: Actions<AdministratorAction>
  /** How many actions the server has carried out. When this changes, the section loads again. */
  changes: number
  /** Whether the administrator followed a link on this page, so that a screen reader reads the heading. */
  isNavigated: boolean
  visit: (location: string) => void
}
