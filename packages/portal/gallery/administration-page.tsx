import type { AdministrationApi } from '../src/administration/administration-api.ts'
import { AdministrationPage } from '../src/administration/administration-page.tsx'
import type { Route } from '../src/administration/route.ts'
import { administrationApi } from '../src/testing/administration-api.ts'
import { answers } from './scene.ts'

export const quiet = {
  users: 100_000,
  withoutFactor: 312,
  skipped: 40,
  locked: 3,
  forcedReset: 1,
  mailsWaiting: 0,
  mailsTriedInVain: 0,
}

/** The administration page at a route. Calls without an answer in `api` never end. */
export const page = (route: Route, api: Partial<AdministrationApi> = {}) => (
  <AdministrationPage
    username="admin@example.com"
    zone="Europe/Amsterdam"
    hasPasskey={false}
    base=""
    api={administrationApi({ overview: answers(quiet), ...api })}
    addresses={{ read: () => route, push: () => {}, replace: () => {}, listen: () => () => {} }}
    visit={() => {}}
  />
)
