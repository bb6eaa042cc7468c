// The second door, for our own server's pages: what renders a page of the area whole, and what follows from an answer.
export { Here } from './here.ts'
export { afterLogin } from './next.ts'
export { afterFactor, afterReset } from './next-of-factor.ts'
export * as approval from './pages/approve-on-phone/approve-on-phone.tsx'
export * as laterPages from './pages/later-pages.tsx'
