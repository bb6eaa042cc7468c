import type { Toast } from '@gatehouse/ui/toasts/toast.ts'
import type { VerifyError } from '@gatehouse/wire'
import type { FormResult } from '@gatehouse/wire/page-props'
import type { Messages } from '../messages/messages.ts'

/** Message for the banner after a form was sent without a script. */
export const formResultMessage = (result: FormResult | undefined, messages: Messages): string | undefined => {
  if (!result) return undefined
  if ('show' in result) return messages.failures[result.show]
  return 'explain' in result ? factorError(result.explain, messages.verifyErrors).message : undefined
}

/** The banner's addition to that message. */
export const formResultAdvice = (result: FormResult | undefined, messages: Messages): string | undefined =>
  result && 'explain' in result ? factorError(result.explain, messages.verifyErrors).advice : undefined

/** The banner's message, what the user can do about it, and the toast for an error of the second factor (§8). */
export const factorError = (error: VerifyError, words: Messages['verifyErrors']): { message: string; advice?: string; toast: Toast } => {
  const sentence = words.sentence(error)
  const toast = { kind: 'error', id: 'factor-error' } as const
  switch (error.tag) {
    case 'VerifyTOTPFactorError':
    case 'TOTPError': {
      const { reason, clockOffset } = error.contents
      const title = error.tag === 'TOTPError' ? words.authenticationFailed : words.verificationFailed
      const advice = clockOffset == null ? {} : { advice: words.clockOffset(clockOffset) }
      return { message: words.reason(reason), ...advice, toast: { ...toast, title, text: sentence } }
    }
    case 'ApiError':
      return { message: sentence, toast: { ...toast, title: words.messagingProvider, text: error.contents } }
    case 'StoreError':
    case 'DatabaseError':
      return { message: sentence, toast: { ...toast, title: sentence } }
  }
}
