import * as audit from '../audit/audit.store.ts'
import { hashSecret } from '../keys/secrets.ts'
import type { Session } from '../sessions/session.ts'
import * as lockout from '../sign-in/lockout.store.ts'
import type { Visitor } from '../visitors/visitor.ts'
import type { Reauthentication } from './reauthentication.ts'

/**
 * Lets users forget browsers that they have signed in with. This requires no password, because it only lowers trust: the server then counts
 * wrong passwords from these browsers together with those from unknown browsers. Sessions stay.
 */
export const createOwnBrowsers = ({ reauthentication, now }: { reauthentication: Reauthentication; now: () => number }) => {
  /** Forgets a browser by its id in the list, which may be the caller's own. */
  const forgetOne = (browserId: string, caller: Session | undefined, visitor: Visitor) =>
    reauthentication.inSession(caller, async (tx, { userId, userIdent }): Promise<'forgotten' | 'unknown'> => {
      const found = (await lockout.listBrowsers(tx, userId, now())).find(browser => browser.browserId === browserId)
      if (!found) return 'unknown'
      await lockout.forgetBrowsers(tx, { userId, userIdent }, [found.browserHash])
      await audit.record(tx, { event: 'browser-forgotten', result: 'successful', actor: userId, target: userId, now: now() }, visitor)
      return 'forgotten'
    })

  /** Forgets all browsers except the caller's. */
  const forgetOthers = (caller: Session | undefined, visitor: Visitor) =>
    reauthentication.inSession(caller, async (tx, { userId, userIdent }): Promise<'forgotten'> => {
      const own = visitor.browser === undefined ? undefined : hashSecret(visitor.browser)
      const others = (await lockout.listBrowsers(tx, userId, now())).map(({ browserHash }) => browserHash).filter(hash => hash !== own)
      await lockout.forgetBrowsers(tx, { userId, userIdent }, others)
      await audit.record(tx, { event: 'browser-forgotten', result: 'all others', actor: userId, target: userId, now: now() }, visitor)
      return 'forgotten'
    })

  return { forgetOne, forgetOthers }
}
export type OwnBrowsers = ReturnType<typeof createOwnBrowsers>
