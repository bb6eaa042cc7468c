import { english as signIn } from '@gatehouse/sign-in/messages'
import { speak } from '../messages/current.ts'
import { english } from '../messages/en.ts'
import { englishAccount } from '../messages/en-account.ts'
import { englishAdministration } from '../messages/en-administration.ts'
import { englishApprover } from '../messages/en-approver.ts'

/** The English texts, which tests use without loading them as a page does. */
export const allEnglish = {
  signIn,
  portal: english,
  account: englishAccount,
  administration: englishAdministration,
  approver: englishApprover,
}

speak('en', allEnglish)
