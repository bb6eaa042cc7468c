import type { AdministrationApi } from '../src/administration/administration-api.ts'
import { AdministrationPage } from '../src/administration/administration-page.tsx'
import type { Route } from '../src/administration/route.ts'
import { answers, never } from './scene.ts'

export const quiet = {
  users: 100_000,
  withoutFactor: 312,
  skipped: 40,
  locked: 3,
  forcedReset: 1,
  mailsWaiting: 0,
  mailsTriedInVain: 0,
}
const silent: AdministrationApi = {
  overview: answers(quiet),
  users: never,
  user: never,
  mails: never,
  board: never,
  attempts: never,
  add: never,
  unlock: never,
  forceReset: never,
  endSession: never,
  endSessions: never,
  sendLink: never,
  setGroups: never,
  removeFactor: never,
  remove: never,
  passes: never,
  addPass: never,
  endPass: never,
  endPasses: never,
  userPasswordConfirm: never,
  logoutBySelf: never,
}

/** The administration page at a route. Calls that `api` does not give never get a reply. */
export const page = (route: Route, api: Partial<AdministrationApi> = {}) => (
  <AdministrationPage
    username="admin@example.com"
    zone="Europe/Amsterdam"
    hasPasskey={false}
    base=""
    api={{ ...silent, ...api }}
    addresses={{ read: () => route, push: () => {}, replace: () => {}, listen: () => () => {} }}
    visit={() => {}}
  />
)
