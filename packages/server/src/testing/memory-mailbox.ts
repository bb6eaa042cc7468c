import { limits } from '../limits.ts'
import type { KeptMail, Mailbox } from '../mail/mailbox.ts'

/**
 * A mailbox that writes no files.
 * @param caught is called with every mail
 */
export const createMemoryMailbox = (from: string, caught: (mail: KeptMail) => void): Mailbox => {
  /** The newest first. */
  let kept: KeptMail[] = []
  return {
    send: async ({ mailId, to, subject, date, text, html }) => {
      const mail = { id: mailId, to, from, subject, at: date.toISOString(), text, html }
      kept = [mail, ...kept].slice(0, limits.mail.mailbox)
      caught(mail)
    },
    find: async id => kept.find(mail => mail.id === id),
    list: async () => kept,
  }
}
