import { routes } from '@gatehouse/wire'
import { type Check, isSuccess, outcomeOf, type Run } from '../run.ts'
import { must, notChecked } from '../verdict.ts'
import { mustLookAlike } from './sign-in.ts'

/** Locks the account `lockout` with wrong passwords. */
const locked = (run: Run) =>
  run.once('locked', async () => {
    const user = run.account('lockout')
    outcomeOf(await run.signIn(user), 'AuthSuccessful')
    for (let i = 0; i < run.target.lockedAfter; i++) outcomeOf(await run.signIn(run.wrong(user)), 'AuthFailureFailedLogin')
    return run.signIn(user)
  })

/** Checks of the lockout. The account `lockout` stays locked. */
export const lockoutChecks: Check[] = [
  {
    id: 'lockout/refuses',
    section: '§3 FailedLogin',
    rule: 'After that many wrong passwords in a row, the right password gets AuthFailureFailedLogin',
    check: async run => void outcomeOf(await locked(run), 'AuthFailureFailedLogin'),
  },
  {
    id: 'lockout/alike',
    section: 'wire.md: Outcomes that must look alike',
    rule: 'A locked account looks like an unknown account',
    check: async run => mustLookAlike(await run.signIn(run.unknown), await locked(run), 'an unknown and a locked account'),
  },
]

/** The most requests that `--flood` sends. */
const mostRequests = 300

/** Sends sign-ins until the server limits them. Runs only with `--flood`, because this machine's network stays rate-limited for a while afterwards. */
export const floodChecks: Check[] = [
  {
    id: 'flood/limited',
    section: 'wire.md: Errors',
    rule: `One network cannot send ${mostRequests} sign-ins without a 429`,
    check: async run => {
      const body = { ...run.unknown, useragent: '' }
      const headers = { 'content-type': 'application/json', origin: run.target.origin }
      for (let i = 0; i < mostRequests; i++) {
        const answer = await run.client.send({ path: routes.getAuthTokenWithError.path, body, headers }, true)
        if (answer.status === 429) return
        must(isSuccess(answer) || answer.status === 503, `expected a response or a 429, got ${answer.status}`)
      }
      must(false, `${mostRequests} sign-ins without a 429`)
    },
  },
]

/** Shown without `--flood`, so that the table says what was not checked. */
export const withoutFlood: Check[] = floodChecks.map(check => ({ ...check, check: () => notChecked('off; --flood turns it on') }))
