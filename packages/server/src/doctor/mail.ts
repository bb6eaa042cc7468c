import type { Kysely } from 'kysely'
import type { Config } from '../config/config.ts'
import { isHere } from '../config/value-formats.ts'
import type { Tables } from '../db/schema.ts'
import { minutes } from '../limits.ts'
import * as outbox from '../mail/outbox.store.ts'
import { createSmtp } from '../mail/smtp.ts'
import { explainSmtp } from '../mail/smtp-faults.ts'
import { about, type Finding, reasonOf } from './finding.ts'

const { ok, warning, problem } = about('mail')

/** Checks that the mail server accepts mail. */
export const examineMailServer = async (config: Config): Promise<Finding> => {
  const { smtp } = config
  if (!smtp) {
    const { origin, path } = config.publicUrl
    const shown = isHere(new URL(origin).hostname) ? ` and shown at ${origin}${path}/mail` : ''
    return ok(`No mail server is configured. Mail is kept in ${config.mailFolder}${shown}.`)
  }
  const where = `${smtp.host}:${smtp.port}`
  try {
    const { tls } = await createSmtp(smtp, config.mailFrom, new URL(config.publicUrl.origin).hostname).verify()
    const login = smtp.user === undefined ? 'accepts mail without a login' : 'accepts the login'
    return tls
      ? ok(`${where} ${login}, over TLS.`)
      : warning(`${where} ${login}, without TLS. If it is on another machine, password reset links travel unencrypted.`)
  } catch (error) {
    return problem(`${where} does not accept mail: ${explainSmtp(error, smtp) ?? whyNot(error)}. Until it does, mail waits in the outbox.`)
  }
}

/** A mail server's text may quote what we sent; its status code does not. */
const whyNot = (error: unknown): string => {
  const { responseCode } = Object(error) as { responseCode?: unknown }
  return responseCode === undefined ? reasonOf(error) : `it answers ${responseCode}`
}

/** Reports mail that the mail server refused permanently. */
export const examineRefused = async (db: Kysely<Tables>): Promise<Finding[]> => {
  const count = await outbox.countRefused(db)
  if (count === 0) return []
  const mails = count === 1 ? '1 email' : `${count} emails`
  return [warning(`The mail server permanently rejected the recipients of ${mails}. See Pending emails on the administration page.`)]
}

/** Reports how much mail waits, and since when. */
export const examineOutbox = async (db: Kysely<Tables>, now: number): Promise<Finding> => {
  const [count, oldest] = [await outbox.countWaiting(db), await outbox.oldestWaiting(db)]
  if (oldest === undefined) return ok('The outbox is empty.')
  const text = `${count === 1 ? '1 email waits' : `${count} emails wait`} in the outbox, the oldest since ${new Date(oldest).toISOString()}.`
  return now - oldest > minutes(15) ? warning(`${text} Check that Gatehouse is running and that the mail server accepts mail.`) : ok(text)
}
