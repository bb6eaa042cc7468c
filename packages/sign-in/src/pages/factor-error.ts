import type { Toast } from '@gatehouse/ui/toasts/toast.ts'
import type { DatabaseError, StoreError, VerifyError } from '@gatehouse/wire'
import type { FormResult } from '@gatehouse/wire/page-props'
import type { Messages } from '../messages/messages.ts'

/** Message for the banner after a form was sent without a script. */
export const formResultMessage = (result: FormResult | undefined, messages: Messages): string | undefined => {
  if (!result) return undefined
  if ('show' in result) return messages.failures[result.show]
  return 'explain' in result ? factorError(result.explain, messages.verifyErrors).message : undefined
}

/** What else the page shows for a wrong code that was sent without a script. */
export const formResultDetails = (
  result: FormResult | undefined,
  messages: Messages,
): Pick<FactorErrorShown, 'advice' | 'wrongCode'> | undefined => {
  if (!result || !('explain' in result)) return undefined
  const { advice, wrongCode } = factorError(result.explain, messages.verifyErrors)
  return { ...(advice !== undefined && { advice }), ...(wrongCode && { wrongCode }) }
}

/** What the pages show for an error of the second factor (§8). */
type FactorErrorShown = {
  /** For the banner. */
  message: string
  /** What the user can do about it. */
  advice?: string
  /** Whether the typed code is the problem. */
  wrongCode?: true
  toast: Toast
}

export const factorError = (error: VerifyError, words: Messages['verifyErrors']): FactorErrorShown => {
  const toast = { kind: 'error', id: 'factor-error' } as const
  switch (error.tag) {
    case 'VerifyTOTPFactorError':
    case 'TOTPError': {
      const { status, reason, clockOffset } = error.contents
      const message = words.reasons[reason.tag]
      const [title, write] =
        error.tag === 'TOTPError'
          ? [words.authenticationFailed, words.authenticationFailedWith]
          : [words.verificationFailed, words.verificationFailedWith]
      const advice = clockOffset == null ? {} : { advice: clockAdvice(clockOffset, words) }
      const wrongCode = reason.tag === 'InvalidCode' && ({ wrongCode: true } as const)
      return { message, ...advice, ...wrongCode, toast: { ...toast, title, text: write(words.statuses[status], message) } }
    }
    case 'ApiError':
      return { message: words.apiError(error.contents), toast: { ...toast, title: words.messagingProvider, text: error.contents } }
    case 'StoreError': {
      const message = storeErrorMessage(error.contents, words.storeErrors)
      return { message, toast: { ...toast, title: message } }
    }
    case 'DatabaseError': {
      const message = databaseErrorMessage(error.contents, words.databaseErrors)
      return { message, toast: { ...toast, title: message } }
    }
  }
}

/** @param offset seconds, negative if the phone's clock is behind */
const clockAdvice = (offset: number, { clockBehind, clockAhead }: Messages['verifyErrors']) =>
  (offset < 0 ? clockBehind : clockAhead)(Math.max(1, Math.round(Math.abs(offset) / 60)))

const storeErrorMessage = (error: StoreError, words: Messages['verifyErrors']['storeErrors']) =>
  error.tag === 'StoreIOError' ? words.StoreIOError(error.contents) : words[error.tag]

const databaseErrorMessage = (error: DatabaseError, words: Messages['verifyErrors']['databaseErrors']) => {
  if (error.tag !== 'FactorTypeMismatch') return words[error.tag]
  const [, given, expected] = error.contents
  return words.FactorTypeMismatch(given, expected)
}
