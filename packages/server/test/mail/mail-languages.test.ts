import { pseudo, pseudoTag } from '@gatehouse/language/pseudo.ts'
import { sourceOf } from '@gatehouse/language/translate.ts'
import { expect, test } from 'vitest'
import { createKeyring } from '../../src/keys/keyring.ts'
import { createMail } from '../../src/mail/mail.ts'
import { createMailSender } from '../../src/mail/mail-sender.ts'
import type { MailMessage } from '../../src/mail/messages.ts'
import { insertMail } from '../../src/mail/outbox.store.ts'
import { createSmtp } from '../../src/mail/smtp.ts'
import { englishServer } from '../../src/texts/en.ts'
import { createServerLanguages } from '../../src/texts/server-languages.ts'
import { startServer } from '../support/harness.ts'
import { recipientOf, startSmtpSink } from './smtp-sink.ts'

const inPseudo = (value: unknown): unknown => {
  if (typeof value === 'string') return pseudo(value)
  return Object.fromEntries(Object.entries(Object(value)).map(([key, part]) => [key, inPseudo(part)]))
}
const german = { mails: { frame: { time: '{time} Uhr ({zone})' }, notices: { 'factor-added': { title: 'Zweiter Faktor hinzugefügt' } } } }
const translations = [
  { language: { tag: pseudoTag, name: 'Pseudo' }, server: inPseudo(sourceOf(englishServer)) },
  { language: { tag: 'de', name: 'Deutsch' }, server: german },
]
const link = 'https://gate.example.org/new-password#c2VsZWN0b3I.dG9rZW4'
const from = { address: '2001:db8::7', userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0' }

/** A server whose mails have translations, and the mails that it has sent. */
const start = async () => {
  const sink = await startSmtpSink()
  const { db, config, clock, addUser } = await startServer()
  const keyring = createKeyring(config.masterKeys)
  const texts = createServerLanguages(translations, 'en')
  const now = () => clock.at
  const userId = await addUser()
  const administrators = ['de@example.com', 'nobody@example.com']
  const administratorId = await addUser({ username: 'de@example.com', password: 'a long password of words' })
  await db.updateTable('users').set({ userLastLanguage: 'de' }).where('userId', '=', administratorId).execute()
  const sender = createMailSender({
    db,
    keyring,
    send: createSmtp({ host: '127.0.0.1', port: sink.port, tls: 'if-offered' }, 'gate@example.org', 'localhost').send,
    explain: () => undefined,
    grant: async () => {},
    product: { name: 'Gatehouse', url: 'https://gate.example.org/', links: { help: 'https://gate.example.org/help' } },
    texts,
    metrics: { mailSent: () => {}, mailFailed: () => {}, mailRefused: () => {} },
    now,
    log: { warn: () => {} },
  })
  const reader = (userLanguage: string | null, userLastLanguage: string | null = null) =>
    ({ userId, userIdent: 'ada@example.com', userTZLabel: 'Europe/Amsterdam', userLanguage, userLastLanguage }) as const
  const deliver = async () => {
    await sender.round()
    return sink.mails.map(mail => ({ ...mail, recipient: recipientOf(mail), html: mail.html || '', text: mail.text ?? '' }))
  }
  return { db, keyring, now, mail: createMail({ keyring, now, administrators, texts }), reader, deliver }
}

const message: MailMessage = { kind: 'password-reset', link, minutes: 30 }

test('a mail is in the recipient’s language, and right to left if the language is', async () => {
  const { db, mail, reader, deliver } = await start()
  await mail.queue(db, reader(pseudoTag, 'de'), { to: 'ada@example.com', message })
  const [sent] = await deliver()
  if (!sent) throw new Error('expected a mail')
  expect(sent.subject).toContain(pseudo('Reset your password'))
  expect(sent.subject).toContain('Gatehouse')
  expect(sent.html).toContain(`<html lang="${pseudoTag}" dir="rtl">`)
  expect(sent.html).toContain('dir="rtl" width="100%"')
  expect(sent.html).not.toMatch(/text-align:left|letter-spacing:-/)
  expect(sent.html).toContain(`dir="ltr" href="${link}"`)
  expect(sent.html).toContain('<div class="soft" dir="ltr" align="left"')
  // Users copy this line, so it contains only the link, without Unicode direction marks.
  expect(sent.text.split('\n')).toEqual(expect.arrayContaining([link, 'https://gate.example.org/', 'https://gate.example.org/help']))
  expect(sent.text).toContain('\u2068Gatehouse\u2069')
  expect(sent.text.replaceAll(/https:.*/g, '')).not.toMatch(/Someone|password|minutes|Help/)
})

test('a notice has dates in the recipient’s language, and English texts where the translation lacks them', async () => {
  const { db, mail, reader, deliver } = await start()
  await mail.notify(db, reader(null, 'de'), { kind: 'factor-added' }, from)
  const [sent] = await deliver()
  expect(sent?.subject).toBe('Zweiter Faktor hinzugefügt · Gatehouse')
  expect(sent?.html).toContain('<html lang="de" dir="ltr">')
  expect(sent?.text).toMatch(/^When: 20\. Nov\. 2026, 04:00 Uhr \(Europe\/Amsterdam\)$/m)
})

test('each administrator gets a notice in their own language', async () => {
  const { db, mail, deliver } = await start()
  await mail.notifyAdministrators(db, { kind: 'factor-reset-of', who: 'ada@example.com' }, from)
  const sent = (await deliver()).toSorted((a, b) => a.recipient.localeCompare(b.recipient))
  expect(sent.map(({ recipient, html }) => [recipient, /<html lang="([^"]+)"/.exec(html)?.[1]])).toEqual([
    ['de@example.com', 'de'],
    ['nobody@example.com', 'en'],
  ])
  expect(sent.map(({ text }) => /^When: (.*)$/m.exec(text)?.[1])).toEqual(['20. Nov. 2026, 03:00 Uhr (UTC)', '20 Nov 2026, 03:00 (UTC)'])
})

test.each([
  ['of the previous version, without a language', {}],
  ['in a language whose file no longer exists', { language: 'nl' }],
])('sends a queued mail %s in the default language', async (_, row) => {
  const { db, keyring, now, deliver } = await start()
  await insertMail(db, keyring, { to: 'ada@example.com', message, ...row }, { now: now(), expires: now() + 60_000 })
  const [sent] = await deliver()
  expect(sent?.subject).toBe('Reset your password · Gatehouse')
  expect(sent?.html).toContain('<html lang="en" dir="ltr">')
})
