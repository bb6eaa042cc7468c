import type { Db } from '../db/schema.ts'
import { hashSecret, type Keys } from '../keys/secrets.ts'
import type { RequestTrace } from '../mail/mail-content.ts'
import type { Requester } from '../mail-links/mail-links.store.ts'
import * as lockout from '../sign-in/lockout.store.ts'
import { networksOf } from '../visitors/network.ts'
import type { Visitor } from '../visitors/visitor.ts'

/** Identifies the requester of a mail, for the quotas. The queue stores this identification with the request. */
export const createMailRequesters = ({ keys, now }: { keys: Keys; now: () => number }) => {
  /** Does the same work for every username, so that response time does not reveal which accounts exist. */
  const traceOf = (ident: string, visitor: Visitor): RequestTrace => {
    const { network, site } = networksOf(visitor.address)
    return {
      network: keys.blindNetwork(network, ident),
      ...(site !== undefined && { site: keys.blindNetwork(site, ident) }),
      ...(visitor.browser !== undefined && { browserHash: hashSecret(visitor.browser) }),
    }
  }

  const requesterOf = async (db: Db, userId: string, trace: RequestTrace | undefined): Promise<Requester> => ({
    network: trace?.network ?? null,
    site: trace?.site ?? null,
    known: trace?.browserHash !== undefined && (await lockout.isKnownBrowser(db, trace.browserHash, userId, now())),
  })

  return { traceOf, requesterOf }
}
export type MailRequesters = ReturnType<typeof createMailRequesters>
