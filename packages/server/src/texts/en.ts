import { text } from '@gatehouse/language/text.ts'
import { doors } from './en-doors.ts'
import { mails } from './en-mails.ts'
import { pages } from './en-pages.ts'
import type { ServerTexts } from './server-texts.ts'

/** The English catalog of the part `server`. */
export const englishServer: ServerTexts = {
  mails,
  doors,
  pages,
  push: { signIn: text('{product}: someone is trying to sign in. Open the approver.', 'product') },
}
