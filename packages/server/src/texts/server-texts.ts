import type { DoorTexts } from './door-texts.ts'
import type { MailTexts } from './mail-texts.ts'
import type { PageTexts } from './page-texts.ts'

/** All texts that the server writes for users: mails, notifications, and notices on pages. The command line and the logs stay English. */
export type ServerTexts = {
  mails: MailTexts
  doors: DoorTexts
  pages: PageTexts
  /** Notifications on phones, which ntfy and Gotify show. */
  push: { signIn: (product: string) => string }
}
