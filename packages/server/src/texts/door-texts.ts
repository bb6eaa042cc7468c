import type { DoorState } from '@gatehouse/wire'

/** What the open-door alarm found at a protected application, in mails to administrators and, in English, in `gatehouse doctor`. */
export type DoorTexts = {
  /** `title` is a mail's subject. `cause` is one or two sentences. `advice` says what to do. */
  states: Record<DoorState, { title: string; cause: string; advice: string }>
  /** How the application answered a request without a sign-in. */
  answer: {
    /** No answer; `reason` is a technical error message in English. */
    none: (reason: string) => string
    noneUnknown: string
    /** `status` is the number of an HTTP status, such as 200. */
    status: (status: string) => string
    /** `target` is the origin to which the application redirects. */
    redirect: (status: string, target: string) => string
  }
}
