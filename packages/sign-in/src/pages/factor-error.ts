import type { Toast } from '@gatehouse/ui/toasts/toast.ts'
import type { VerifyError } from '@gatehouse/wire'
import type { FormResult } from '@gatehouse/wire/page-props'
import type { Messages } from '../messages/messages.ts'

/** What the banner of a factor's page says of a form that was sent without a script. */
export const saidOfFactor = (said: FormResult | undefined, messages: Messages): string | undefined => {
  if (!said) return undefined
  if ('show' in said) return messages.failures[said.show]
  return 'explain' in said ? factorError(said.explain, messages.verifyErrors).message : undefined
}

/** What a factor error says (§8): in the banner of its page, and in the toast beside it. */
export const factorError = (error: VerifyError, words: Messages['verifyErrors']): { message: string; toast: Toast } => {
  const sentence = words.sentence(error)
  const toast = { kind: 'error', id: 'factor-error' } as const
  switch (error.tag) {
    case 'VerifyTOTPFactorError':
      return { message: words.reason(error.contents.reason), toast: { ...toast, title: words.verificationFailed, text: sentence } }
    case 'TOTPError':
      return { message: words.reason(error.contents.reason), toast: { ...toast, title: words.authenticationFailed, text: sentence } }
    case 'ApiError':
      return { message: sentence, toast: { ...toast, title: words.messagingProvider, text: error.contents } }
    case 'StoreError':
    case 'DatabaseError':
      return { message: sentence, toast: { ...toast, title: sentence } }
  }
}
