import type { Kysely } from 'kysely'
import * as audit from '../audit/audit.store.ts'
import type { Tables } from '../db/schema.ts'
import { limits } from '../limits.ts'
import type { Metrics } from '../metrics.ts'
import * as accounts from '../users/users.store.ts'
import { createDeliveries } from './deliveries.ts'
import type { Letter, Mail, Posted } from './mail.ts'
import { writeMail } from './messages.ts'
import type { SendMail } from './smtp.ts'
import { refusalOf } from './smtp-faults.ts'

/** Carries the outbox away: grants wishes for mail, sends mail, and comes back to what could not be sent. */
export const createPostman = (deps: {
  db: Kysely<Tables>
  mail: Mail
  send: SendMail
  /** What is set up wrong, if the error of a delivery tells. */
  explain: (error: unknown) => string | undefined
  /** Turns a wish into a letter, if there is somebody to write to. */
  grant: (tx: Parameters<Mail['queue']>[0], wish: Extract<Posted['content'], { wish: string }>) => Promise<void>
  product: { name: string; url: string }
  metrics: Pick<Metrics, 'mailRefused'>
  now: () => number
  log: { warn: (of: object, message: string) => void }
}) => {
  const { db, mail, now, log } = deps

  const drop = (posted: Posted, result: 'expired') =>
    db.transaction().execute(async tx => {
      await mail.remove(tx, posted.mailId)
      const kind = 'message' in posted.content ? posted.content.message.kind : posted.content.wish
      await audit.record(tx, { event: 'mail-dropped', result: `${result}: ${kind}`, actor: null, target: null, now: now() }, undefined)
    })

  /** Mails that the mail server has taken and whose rows are still there, because the database was away: they are not sent again. */
  const sent = new Set<string>()
  const settle = async (mailId: string) => {
    await mail.remove(db, mailId)
    sent.delete(mailId)
  }

  const refuse = async (posted: Posted, letter: Letter, status: number) => {
    const { kind } = letter.message
    log.warn({ kind, status }, 'the mail server permanently rejected the recipient of an email; not retrying')
    deps.metrics.mailRefused()
    await db.transaction().execute(async tx => {
      await mail.refuse(tx, posted, letter, status)
      const target = (await accounts.findByIdent(tx, letter.to))?.userId ?? null
      await audit.record(tx, { event: 'mail-refused', result: `${status}: ${kind}`, actor: null, target, now: now() }, undefined)
    })
  }

  const deliver = async (posted: Posted, signal: AbortSignal): Promise<void> => {
    const { content, mailId, expires } = posted
    if (sent.has(mailId)) return settle(mailId)
    // The mail's link would be dead when it is read.
    if (expires <= now()) return drop(posted, 'expired')
    if ('wish' in content) {
      return db.transaction().execute(async tx => {
        if (await mail.remove(tx, mailId)) await deps.grant(tx, content)
      })
    }
    try {
      await deps.send({ mailId, to: content.to, date: new Date(posted.created), ...writeMail(content.message, deps.product) }, signal)
    } catch (error) {
      if (signal.aborted) throw error
      const refusal = refusalOf(error)
      if (refusal !== undefined) return refuse(posted, content, refusal)
      const trouble = { kind: content.message.kind, attempt: posted.attempts, reason: reasonOf(error), hint: deps.explain(error) }
      log.warn(trouble, 'sending an email failed; it stays in the outbox')
      return mail.postpone(db, posted)
    }
    sent.add(mailId)
    await settle(mailId)
  }

  const { round, start, stop } = createDeliveries<Posted>({
    limits: limits.mail,
    claim: most => mail.claim(db, most),
    hold: posted => mail.hold(db, posted),
    renew: posted => mail.renew(db, posted),
    release: posted => mail.release(db, posted),
    destinationOf: ({ content }) => ('to' in content ? { destination: domainOf(content.to), recipient: content.to } : undefined),
    deliver,
    prepare: async () => {
      for (const mailId of sent) await settle(mailId)
    },
    // The caller that needs the database reports the failure; the mail waits.
    failed: error => log.warn({ reason: reasonOf(error) }, 'reading the outbox failed'),
  })
  return { round, start, stop }
}
export type Postman = ReturnType<typeof createPostman>

/** A slow mail server on the way to one domain is slow for every address of it. */
const domainOf = (address: string) => address.slice(address.lastIndexOf('@') + 1)

/** What a mail server says may hold the address; its code does not. */
const reasonOf = (error: unknown) => {
  if (!(error instanceof Error)) return 'unknown'
  const { code, responseCode } = error as Error & { code?: unknown; responseCode?: unknown }
  return [error.name, code, responseCode].filter(part => part !== undefined).join(' ')
}
