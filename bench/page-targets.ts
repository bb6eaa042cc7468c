/** A sign-in screen of which the first load is measured. Its sources are in `peers/page`, but for ours. */
export type Target = {
  name: string
  /** What it is called in tables. */
  title: string
  /** An element whose shadow tree the screen is in. */
  host?: string
}

export const ours = 'ours'
export const floor = 'floor-static'
export const prerendered = 'floor-prerender'
/** The same page, from a server as strict as ours: to keep a page apart from all others a browser takes another process for it. */
export const strictFloor = 'floor-strict'
export const baseline = 'baseline-react'

export const targets: readonly Target[] = [
  { name: ours, title: 'Gatehouse' },
  { name: floor, title: 'a bare form, HTML alone' },
  { name: strictFloor, title: 'a bare form, as strict as ours' },
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
