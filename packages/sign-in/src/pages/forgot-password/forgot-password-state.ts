/** The states of the forgot-password page, named as in §4. */
export type Forgot =
  | { is: 'NotSend' }
  | { is: 'SendingResetEmail' }
  | { is: 'SendingMagicLink' }
  | { is: 'Sent'; message: string; address?: string; number?: string | undefined; wrongCode?: boolean | undefined }

export type ForgotEvent =
  | { type: 'resetEmailSubmitted' }
  | { type: 'magicLinkSubmitted' }
  | { type: 'sent'; message: string; address: string; number?: string | undefined }
  | { type: 'failed' }
  /** The browser restored the page from its back/forward cache. */
  | { type: 'restored' }

export const notSend: Forgot = { is: 'NotSend' }

/** Sends one email at a time. Users who get no email may send again, so Sent has the same transitions as NotSend. */
export const forgot = (state: Forgot, event: ForgotEvent): Forgot => {
  switch (event.type) {
    case 'resetEmailSubmitted':
      return isSending(state) ? state : { is: 'SendingResetEmail' }
    case 'magicLinkSubmitted':
      return isSending(state) ? state : { is: 'SendingMagicLink' }
    case 'sent':
      return isSending(state)
        ? { is: 'Sent', message: event.message, address: event.address, ...(event.number !== undefined && { number: event.number }) }
        : state
    case 'failed':
    case 'restored':
      return isSending(state) ? notSend : state
  }
}

export const isSending = (state: Forgot) => state.is === 'SendingResetEmail' || state.is === 'SendingMagicLink'
