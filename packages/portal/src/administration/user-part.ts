import type { UserDetail } from '@gatehouse/wire'
import type { SectionProps } from './section.ts'

/** What each part of the page gets: the user, and the actions on them. */
export type UserPartProps = Pick<SectionProps, 'dates' | 'actions'> & {
  detail: UserDetail
  whom: { userId: string; userIdent: string }
  /** Whether the user is the administrator who looks. */
  isOwn: boolean
}
