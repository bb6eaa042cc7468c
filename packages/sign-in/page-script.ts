/** What a page without a bundler finds as `Gatehouse`. */
export { deriveAccent } from './src/accent.ts'
export { mountSignIn } from './src/mount.tsx'
