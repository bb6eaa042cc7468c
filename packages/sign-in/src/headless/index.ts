// The entry `@gatehouse/sign-in/headless`, which needs no framework.

export { createSignIn, type HeadlessOptions, type HeadlessSignIn } from './create-sign-in.ts'
export type { Choice, Notice, SignInView } from './view.ts'
