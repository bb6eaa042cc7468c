export { checkServer, type Options, type Row } from './check-server.ts'
export { reportOf } from './report.ts'
export { type Accounts, readTarget, type Target } from './target.ts'
