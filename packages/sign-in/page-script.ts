/** The global `Gatehouse` of pages without a bundler. */
export { deriveAccent } from './src/accent.ts'
export { mountSignIn } from './src/mount.tsx'
