// The entry `@gatehouse/sign-in/rendering`, for our own server: renders a page of the widget, and decides what follows a reply.
export { englishFirstLoad } from './messages/en-first-load.ts'
export { afterLogin } from './next.ts'
export { afterFactor, afterReset } from './next-after-factor.ts'
export * as phoneApproval from './pages/approve-on-phone/approve-on-phone.tsx'
export { withPasskeyFirst } from './pages/factor-pages.ts'
export * as lazyPages from './pages/lazy-pages.tsx'
export { Preloaded } from './preloaded.tsx'
