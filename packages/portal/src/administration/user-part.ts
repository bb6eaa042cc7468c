import type { UserDetail } from '@gatehouse/wire'
import type { SectionProps } from './section.ts'

/** The props of each part of the page: the user, and the actions on the account. */
export type UserPartProps = Pick<SectionProps, 'dates' | 'actions'> & {
  detail: UserDetail
  whom: { userId: string; userIdent: string }
  /** Whether the user is the signed-in administrator. */
  isOwn: boolean
}
