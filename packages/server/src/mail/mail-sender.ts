import type { Kysely } from 'kysely'
import * as audit from '../audit/audit.store.ts'
import type { Db, Tables } from '../db/schema.ts'
import type { Keyring } from '../keys/keyring.ts'
import { limits } from '../limits.ts'
import type { Metrics } from '../metrics.ts'
import type { ServerLanguages } from '../texts/server-languages.ts'
import * as accounts from '../users/users.store.ts'
import { createDeliveries } from './deliveries.ts'
import type { Product } from './layout.ts'
import type { MailRequest, OutgoingMail } from './mail-content.ts'
import { writeMail } from './messages.ts'
import * as outbox from './outbox.store.ts'
import type { SendMail } from './smtp.ts'
import { refusalOf } from './smtp-faults.ts'

/** Processes the outbox: turns requests into mails, sends mails, and retries failed deliveries. */
export const createMailSender = (deps: {
  db: Kysely<Tables>
  keyring: Keyring
  send: SendMail
  /** Which setting is wrong, if the error of a delivery reveals that. */
  explain: (error: unknown) => string | undefined
  /** Queues the mail that was requested, if the account exists. */
  grant: (tx: Db, request: MailRequest) => Promise<void>
  product: Product
  texts: ServerLanguages
  metrics: Pick<Metrics, 'mailSent' | 'mailFailed' | 'mailRefused'>
  now: () => number
  log: { warn: (of: object, message: string) => void }
}) => {
  const { db, keyring, now, log } = deps

  const dropExpired = ({ mailId, content }: outbox.QueuedMail) =>
    db.transaction().execute(async tx => {
      await outbox.remove(tx, mailId)
      const kind = 'message' in content ? content.message.kind : content.request
      await audit.record(tx, { event: 'mail-dropped', result: `expired: ${kind}`, actor: null, target: null, now: now() }, undefined)
    })

  /** The ids of delivered mails whose rows are not deleted yet, for example because the database was down. They are not sent again. */
  const sent = new Set<string>()
  const settle = async (mailId: string) => {
    await outbox.remove(db, mailId)
    sent.delete(mailId)
  }

  const refuse = async (queued: outbox.QueuedMail, mail: OutgoingMail, status: number) => {
    const { kind } = mail.message
    log.warn({ kind, status }, 'the mail server permanently rejected the recipient of an email; not retrying')
    deps.metrics.mailRefused()
    await db.transaction().execute(async tx => {
      await outbox.refuse(tx, keyring, queued, { mail, status }, now())
      const target = (await accounts.findByIdent(tx, mail.to))?.userId ?? null
      await audit.record(tx, { event: 'mail-refused', result: `${status}: ${kind}`, actor: null, target, now: now() }, undefined)
    })
  }

  const deliver = async (queued: outbox.QueuedMail, signal: AbortSignal): Promise<void> => {
    const { content, mailId, expires } = queued
    if (sent.has(mailId)) return settle(mailId)
    // An expired mail is useless: for example, its link no longer works.
    if (expires <= now()) return dropExpired(queued)
    if ('request' in content) {
      return db.transaction().execute(async tx => {
        if (await outbox.remove(tx, mailId)) await deps.grant(tx, content)
      })
    }
    try {
      await deps.send(
        {
          mailId,
          to: content.to,
          date: new Date(queued.created),
          ...writeMail(content.message, deps.product, deps.texts.in(content.language)),
        },
        signal,
      )
    } catch (error) {
      if (signal.aborted) throw error
      const refusal = refusalOf(error)
      if (refusal !== undefined) return refuse(queued, content, refusal)
      log.warn(
        { kind: content.message.kind, attempt: queued.attempts, reason: reasonOf(error), hint: deps.explain(error) },
        'sending an email failed; it stays in the outbox',
      )
      deps.metrics.mailFailed()
      return outbox.postpone(db, queued, now())
    }
    deps.metrics.mailSent()
    sent.add(mailId)
    await settle(mailId)
  }

  const { round, start, stop } = createDeliveries<outbox.QueuedMail>({
    limits: limits.mail,
    claim: most => outbox.claim(db, keyring, most, now()),
    hold: mails => outbox.hold(db, mails),
    renew: mail => outbox.renew(db, mail, now()),
    release: mails => outbox.release(db, mails, now()),
    destinationOf: ({ content }) => ('to' in content ? { destination: domainOf(content.to), recipient: content.to } : undefined),
    deliver,
    prepare: async () => {
      for (const mailId of sent) await settle(mailId)
    },
    // Log only: requests that need the database report the outage, and the mail waits.
    failed: error => log.warn({ reason: reasonOf(error) }, 'reading the outbox failed'),
  })
  return { round, start, stop }
}
export type MailSender = ReturnType<typeof createMailSender>

/** Addresses of one domain share a destination, because the same mail server may be slow for all of them. */
const domainOf = (address: string) => address.slice(address.lastIndexOf('@') + 1)

/** Leaves out the text of a mail server's reply, which may contain the address. */
const reasonOf = (error: unknown) => {
  if (!(error instanceof Error)) return 'unknown'
  const { code, responseCode } = error as Error & { code?: unknown; responseCode?: unknown }
  return [error.name, code, responseCode].filter(part => part !== undefined).join(' ')
}
