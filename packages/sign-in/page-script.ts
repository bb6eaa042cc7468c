import './src/element/index.ts'

/** The global `Gatehouse` of pages without a bundler. The script also defines `<gatehouse-sign-in>`. */
export { anyJson } from '@gatehouse/wire/any-json'
export { deriveAccent } from './src/accent.ts'
export { createRequest } from './src/calls/request.ts'
export { createConfig } from './src/config.ts'
export { createSignIn } from './src/headless/create-sign-in.ts'
export { mountSignIn } from './src/mount.tsx'
export { getSession, signOut, watchSession } from './src/session/session.ts'
export { createToasts } from './src/toasts.tsx'
