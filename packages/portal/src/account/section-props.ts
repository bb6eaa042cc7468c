import type { PortalApi } from '../calls/portal-api.ts'

/** What the account page gives each section for its actions. */
export type SectionProps = {
  hasPassword: boolean
  username: string
  api: Pick<PortalApi, 'userPasswordConfirm'>
  /** Updates what the page shows. */
  refresh: () => Promise<void>
  /** Opens the sign-in page: the session has ended. */
  leave: () => void
}
