import type { Toast } from '@gatehouse/ui/toasts/toast.ts'
import type { DatabaseError, StoreError, VerifyError } from '@gatehouse/wire'
import type { FormResult } from '@gatehouse/wire/page-props'
import type { Messages } from '../messages/messages.ts'

/** What the pages show for an error of the second factor. */
export type ShownError = {
  /** For the banner. */
  message: string
  /** What the user can do about it. */
  advice?: string
  /** Whether the typed code is the problem. */
  wrongCode?: true
}

/** What a page shows after a form was sent without a script. */
export const formResultError = (result: FormResult | undefined, messages: Messages): ShownError | undefined => {
  if (!result) return undefined
  if ('show' in result) return { message: messages.failures[result.show] }
  if (!('explain' in result)) return undefined
  const { toast: _, ...shown } = factorError(result.explain, messages.verifyErrors)
  return shown
}

/** The banner's part of {@link formResultError}. */
export const formResultMessage = (result: FormResult | undefined, messages: Messages): string | undefined =>
  formResultError(result, messages)?.message

/** The texts of §8 for an error of the second factor, on the page and in its toast. */
export const factorError = (error: VerifyError, words: Messages['verifyErrors']): ShownError & { toast: Toast } => {
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
