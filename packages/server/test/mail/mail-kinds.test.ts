import { readTranslations } from '@gatehouse/language/build/translations.ts'
import { directionOf } from '@gatehouse/language/text.ts'
import { expect, test } from 'vitest'
import { type MailMessage, writeMail } from '../../src/mail/messages.ts'
import { createSmtp } from '../../src/mail/smtp.ts'
import { createServerLanguages } from '../../src/texts/server-languages.ts'
import { everyMessage, happened } from './every-message.ts'
import { startSmtpSink } from './smtp-sink.ts'

const shipped = readTranslations()

/** The lines of a mail in English that are not only names, times and addresses. */
const sentencesOf = (text: string) => text.split('\n').filter(line => line.split(' ').length > 3 && !/[@/]|CET|YubiKey/.test(line))

test.each(shipped.map(({ language }) => language.tag))(
  'delivers every kind of mail in %s unchanged, and without an English sentence',
  async tag => {
    const sink = await startSmtpSink()
    const { send } = createSmtp({ host: '127.0.0.1', port: sink.port, tls: 'if-offered' }, 'gate@example.org', 'localhost')
    const product = { name: 'Gatehouse', url: 'https://gate.example.org/' }
    const language = createServerLanguages(shipped, 'en').in(tag)
    const check = async (message: MailMessage) => {
      const written = writeMail(message, product, language)
      const mail = { mailId: message.kind, date: new Date(0), to: 'ada@example.com', ...written }
      await send(mail, new AbortController().signal)
      const arrived = sink.mails.find(({ messageId }) => messageId?.startsWith(`<${message.kind}@`))
      const text = arrived?.text ?? ''
      expect([message.kind, arrived?.subject, text.trim(), String(arrived?.html).trim()]).toEqual([
        message.kind,
        written.subject,
        written.text.trim(),
        written.html.trim(),
      ])
      expect(written.html).toContain(`<html lang="${tag}" dir="${directionOf(tag)}">`)
      const english = sentencesOf(writeMail(message, product).text)
      expect(english.length).toBeGreaterThan(0)
      expect(english.filter(line => text.includes(line))).toEqual([])
    }
    await Promise.all(Object.values(everyMessage(happened, 'ada@example.com')).map(check))
  },
)
