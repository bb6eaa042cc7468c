/** A sign-in screen to measure. Its sources are in `peers/page`; ours comes from the server. */
export type Target = {
  name: string
  /** Its name in tables. */
  title: string
  /** Selector of the element whose shadow root contains the screen. */
  host?: string
}

export const ours = 'ours'
/** The same page of another checkout, named by `--previous`. */
export const previous = 'previous'
export const floor = 'floor-static'
export const prerendered = 'floor-prerender'
/** The plain HTML form with our security headers. Cross-Origin-Opener-Policy makes the browser switch to a new process. */
export const strictFloor = 'floor-strict'
export const baseline = 'baseline-react'

export const targets: readonly Target[] = [
  { name: ours, title: 'Gatehouse' },
  { name: previous, title: 'Gatehouse, previous build' },
  { name: floor, title: 'a bare form, plain HTML' },
  { name: strictFloor, title: 'a bare form, security headers' },
  { name: prerendered, title: 'a bare form, React 19, prerendered' },
  { name: baseline, title: 'a bare form, React 19' },
  { name: 'better-auth-ui', title: 'Better Auth UI' },
  { name: 'clerk', title: 'Clerk' },
  { name: 'okta-siw', title: 'Okta Sign-In Widget' },
  { name: 'ory', title: 'Ory Elements' },
  { name: 'hanko', title: 'Hanko Elements', host: 'hanko-auth' },
  { name: 'supertokens', title: 'SuperTokens', host: '#supertokens-root' },
  { name: 'supabase', title: 'Supabase Auth UI' },
  { name: 'amplify', title: 'Amplify Authenticator' },
  { name: 'auth0-lock', title: 'Auth0 Lock' },
  { name: 'firebaseui', title: 'FirebaseUI' },
]
