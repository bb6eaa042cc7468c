import type { Toast } from '@gatehouse/ui/toasts/toast.ts'
import type { Failure } from './calls/api.ts'
import type { FirstLoadMessages } from './messages/messages.ts'

/** The toast for a failed call that §8 does not mention. */
export const failureToast = (failure: Failure, { unexpected }: Pick<FirstLoadMessages, 'unexpected'>): Toast => {
  const { title, advice, moreInfo } = unexpected
  return { kind: 'error', id: 'unexpected', title, text: advice, more: { label: moreInfo, detail: failure.detail } }
}
