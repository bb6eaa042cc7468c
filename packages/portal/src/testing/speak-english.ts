import { english as signIn } from '@gatehouse/sign-in/messages'
import { speak } from '../messages/current.ts'
import { english } from '../messages/en.ts'
import { englishAccount } from '../messages/en-account.ts'

// Tests read English, without loading it as a page does.
speak('en', { signIn, portal: english, account: englishAccount })
