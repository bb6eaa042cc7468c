/** What a page without a bundler finds as `Gatehouse`. */
export { mountSignIn } from './src/mount.tsx'
