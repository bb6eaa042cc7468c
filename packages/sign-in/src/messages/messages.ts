/** Every sentence on a screen. A language is one object of this type. */
export type Messages = {
  login: {
    email: string
    password: string
    forgotPassword: string
    signIn: string
    signingIn: string
    signedIn: string
    orSignInWith: string
    google: string
    microsoft: string
    pak: string
    notReady: string
    emailMissing: string
    emailMalformed: string
    passwordMissing: string
  }
  /** Reasons of a refused sign-in (§8). */
  failures: { 'failed-login': string; 'forced-reset': string }
  passwordField: { show: string; hide: string }
  unexpected: { title: string; advice: string; moreInfo: string }
  toasts: { region: string; close: string }
  notThereYet: { title: string; text: string; back: string }
  account: { title: string; signedInAs: string; administrator: string; signOut: string; signingOut: string }
}
