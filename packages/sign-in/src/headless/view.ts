import type { ChallengeRespondedReason, SkipRefusal, SsoProviderName } from '@gatehouse/wire'
import type { ApprovalRequest, FailureReason } from '@gatehouse/wire/page-props'

/** A state of §4 without the hand-over code. */
export type WithoutToken<State> = State extends { token: unknown } ? Omit<State, 'token'> : State

/** A message above the form, until the next attempt. `detail` is for support. */
export type Notice = { title: string; text?: string | undefined; detail?: string | undefined }

/** Another way to continue. `label` is the text that the widget shows for it. */
export type Choice = { label: string; choose: () => void }

/** A state without a message, and one with a message. */
type Busy<Name extends string> = { is: Name }
type Refused<Name extends string> = { is: Name; message: string }

export type LoginView = {
  at: 'login'
  state: Busy<'NotLoggedIn' | 'LoggingIn' | 'LoggedIn'> | (Refused<'NotLoggedInWithError'> & { reason: FailureReason | 'passkey' })
  /** The address that the user typed on another page. */
  email: string
  providers: { name: SsoProviderName; label: string; address: string }[]
  signIn: (typed: { email: string; password: string }) => void
  /** Undefined where passkeys are off or the browser has none. */
  usePasskey: (() => void) | undefined
  forgotPassword: (email?: string) => void
}

export type ForgotPasswordView = {
  at: 'forgot-password'
  state: Busy<'NotSend' | 'SendingResetEmail' | 'SendingMagicLink'> | Refused<'Sent'>
  email: string
  /** Seconds until the user may send another email. 0: now. */
  wait: number
  sendResetEmail: (email: string) => void
  sendMagicLink: (email: string) => void
  /** After a one-time link was sent: the number it asks for on another device, and the form for the code. */
  emailedCode:
    | {
        number: string
        state: Busy<'NotEntered' | 'Missing' | 'Entering' | 'SignedIn'> | Refused<'Refused'>
        signIn: (code: string) => void
      }
    | undefined
  back: () => void
}

/** The other actions on the page of a second factor. */
type OtherWays = {
  choices: Choice[]
  /** Undefined at the first set-up, and on pages that link to the code page, which offers the reset. */
  resetFactor: (() => void) | undefined
  useRecoveryCode: (() => void) | undefined
  back: () => void
}

export type VerifyFactorView = OtherWays & {
  at: 'verify-factor'
  /** `code` of `Verifying` is undefined if the user did not type six digits; nothing was sent. */
  state:
    | Busy<'NotVerified' | 'VerifiedWithSuccess'>
    | { is: 'Verifying'; code: number | undefined }
    | (Refused<'NotVerifiedWithError'> & { advice?: string | undefined })
  /** Whether the code is the first one of a new factor. */
  isFirstSetup: boolean
  asksPassword: boolean
  /** @param password if `asksPassword` */
  verify: (code: string, password?: string) => void
  /** Leaves `Verifying` after a code that was not six digits. */
  edit: () => void
  /** Back to the QR code, at a first set-up. */
  showFactor: (() => void) | undefined
}

export type CreateFactorView = {
  at: 'create-factor'
  state: Busy<'NotLoggedIn' | 'Skipping' | 'LoggedIn'> | Refused<'NotLoggedInWithError'>
  /** What to scan or to type into an authenticator app. Undefined for a push factor of another server's app. */
  factor: { uri: string; secret: string } | undefined
  /** Continues to the page for the first code. */
  next: () => void
  /** Undefined where the user can't skip; then `skipRefused` says why. */
  skip: (() => void) | undefined
  skipRefused: SkipRefusal | undefined
  /** Sets up a passkey instead. */
  usePasskey: (() => void) | undefined
  back: () => void
}

export type ResetFactorView = {
  at: 'reset-factor'
  state: Busy<'NotSent' | 'Sending' | 'Held'>
  asksPassword: boolean
  send: (password?: string) => void
  useRecoveryCode: () => void
  back: () => void
}

export type RecoveryCodeView = {
  at: 'recovery-code'
  state: Busy<'NotVerified' | 'CodeMissing' | 'Verifying' | 'VerifiedWithSuccess'> | Refused<'NotVerifiedWithError'>
  verify: (code: string) => void
  useFactor: () => void
  back: () => void
}

export type UsePasskeyView = OtherWays & {
  at: 'use-passkey'
  state: Busy<'NotVerified' | 'Verifying' | 'VerifiedWithSuccess'> | Refused<'NotVerifiedWithError'>
  verify: () => void
}

export type ApproveOnPhoneView = OtherWays & {
  at: 'approve-on-phone'
  state:
    | { is: 'NotAsked'; message?: string }
    | Busy<'Asking' | 'Expired' | 'VerifiedWithSuccess'>
    | { is: 'Pending' | 'Approved'; asked: ApprovalRequest }
    | { is: 'Denied'; reason: ChallengeRespondedReason }
  /** Sends a challenge to the phone. */
  ask: () => void
}

export type PageView =
  | LoginView
  | ForgotPasswordView
  | VerifyFactorView
  | CreateFactorView
  | ResetFactorView
  | RecoveryCodeView
  | UsePasskeyView
  | ApproveOnPhoneView

/** What to draw. `at` names the page; the functions do what its buttons do. `state` has the names of the specification (§4). */
export type SignInView = PageView & {
  /** Whether a call runs, or the browser is about to leave. Disable the form. */
  busy: boolean
  notice: Notice | undefined
}
