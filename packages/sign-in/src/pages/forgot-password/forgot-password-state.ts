/** The states of the forgot-password page, named as in §4. */
export type Forgot = { is: 'NotSend' } | { is: 'SendingResetEmail' } | { is: 'SendingMagicLink' } | { is: 'Sent'; message: string }

export type ForgotEvent =
  | { type: 'resetEmailAsked' }
  | { type: 'magicLinkAsked' }
  | { type: 'sent'; message: string }
  | { type: 'failed' }
  /** The browser brought the page back from its back/forward cache. */
  | { type: 'restored' }

export const notSend: Forgot = { is: 'NotSend' }

/** One send at a time. Who got no mail may ask again, so Sent leads on as NotSend does. */
export const forgot = (state: Forgot, event: ForgotEvent): Forgot => {
  switch (event.type) {
    case 'resetEmailAsked':
      return isSending(state) ? state : { is: 'SendingResetEmail' }
    case 'magicLinkAsked':
      return isSending(state) ? state : { is: 'SendingMagicLink' }
    case 'sent':
      return isSending(state) ? { is: 'Sent', message: event.message } : state
    case 'failed':
    case 'restored':
      return isSending(state) ? notSend : state
  }
}

export const isSending = (state: Forgot) => state.is === 'SendingResetEmail' || state.is === 'SendingMagicLink'
