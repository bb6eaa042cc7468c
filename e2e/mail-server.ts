import { once } from 'node:events'
import { type ParsedMail, simpleParser } from 'mailparser'
import { SMTPServer } from 'smtp-server'

/** A mail server for one test, with access to the received emails. */
export const startMailServer = async () => {
  const mails: ParsedMail[] = []
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    onData: (stream, _session, callback) => {
      simpleParser(stream).then(mail => {
        mails.push(mail)
        callback()
      }, callback)
    },
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')

  const to = ({ to: list }: ParsedMail) => [list ?? []].flat().map(one => one.text)
  /** Waits for the next email to `reader` with this subject, and removes it, so that a later call finds a later email. */
  const receive = async (reader: string, subject: RegExp): Promise<ParsedMail> => {
    for (let left = 100; left > 0; left--) {
      const at = mails.findIndex(mail => to(mail).includes(reader) && subject.test(mail.subject ?? ''))
      const [found] = at < 0 ? [] : mails.splice(at, 1)
      if (found) return found
      await new Promise(resolve => setTimeout(resolve, 100))
    }
    throw new Error(`no mail to ${reader} with ${subject}; there are ${mails.map(mail => `${to(mail)}: ${mail.subject}`).join('; ')}`)
  }
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    receive,
    waiting: () => mails.map(mail => `${to(mail)}: ${mail.subject}`),
    stop: () => new Promise<void>(resolve => server.close(() => resolve())),
  }
}

/** The link of an email's button. */
export const linkIn = (mail: ParsedMail): string => {
  const [link] = /http:\/\/\S+#\S+/.exec(mail.text ?? '') ?? []
  if (!link) throw new Error(`no link in ${mail.subject}`)
  return link
}
