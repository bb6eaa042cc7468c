import type { PortalApi } from '../calls/portal-api.ts'
import type { PasskeyAccess } from '../passkeys/passkey-access.ts'

/** The props that every section of the account page needs for its actions. */
export type SectionProps = {
  hasPassword: boolean
  /** Whether the user has a passkey to reauthenticate with. */
  hasPasskey: boolean
  /** The browser's passkeys. Absent while the server renders. */
  passkeys?: PasskeyAccess | undefined
  username: string
  api: Pick<PortalApi, 'userPasswordConfirm'>
  /** Updates what the page shows. */
  refresh: () => Promise<void>
  /** Opens the sign-in page: the session has ended. */
  leave: () => void
}
