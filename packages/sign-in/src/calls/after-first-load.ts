// What the login page needs only after the user has typed: one file, which loads when the page is idle.

export { leave } from '../leave.ts'
export { followLogin } from '../pages/login/login-reply.ts'
export { createApi } from './api.ts'
export { warnOfPageOrigin } from './page-origin.ts'
