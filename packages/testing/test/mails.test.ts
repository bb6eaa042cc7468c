import { routes } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { createInbox } from '../src/mails.ts'
import { start } from './support.ts'

const caught = (to: string, subject: string, text = '') => ({
  to,
  from: 'Acme <a@b.c>',
  subject,
  text,
  html: '',
  at: '2026-11-24T00:00:00.000Z',
})

test('returns each email once, the oldest first', async () => {
  const inbox = createInbox()
  for (const subject of ['first', 'second', 'third']) inbox.receive(caught('ada@example.com', subject))
  expect((await inbox.next({ subject: 'second' })).subject).toBe('second')
  expect((await inbox.next({ to: 'Ada@Example.com' })).subject).toBe('first')
  expect((await inbox.next({ subject: /^th/ })).subject).toBe('third')
  expect(inbox.all.map(({ subject }) => subject)).toEqual(['first', 'second', 'third'])
  await expect(inbox.next({ timeout: 10 })).rejects.toThrow('There is no unread email.')
})

test('waits for an email, and returns each email to one caller only', async () => {
  const inbox = createInbox()
  const [one, other] = [inbox.next({ to: 'ada@example.com' }), inbox.next({ to: 'ada@example.com' })]
  inbox.receive(caught('grace@example.com', 'not hers'))
  inbox.receive(caught('ada@example.com', 'first'))
  inbox.receive(caught('ada@example.com', 'second'))
  expect([(await one).subject, (await other).subject]).toEqual(['first', 'second'])
  await expect(inbox.next({ to: 'ada@example.com', subject: 'x', timeout: 10 })).rejects.toThrow(
    'No email to ada@example.com with the subject x arrived within 10 ms. Unread:\n  grace@example.com: not hers',
  )
})

test('reads the links and the code of a real email', async () => {
  const gatehouse = await start({ users: [{ email: 'ada@example.com' }] })
  const post = (path: string, body: object, cookie = '') =>
    fetch(gatehouse.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: gatehouse.url, cookie },
      body: JSON.stringify(body),
    })
  const waiting = await post(routes.magiclinkWait.path, {})
  const cookie = waiting.headers
    .getSetCookie()
    .map(line => line.split(';')[0])
    .join('; ')
  await post(routes.magiclinkSend.path, [{ email: 'ada@example.com', redirect: { tag: 'RedirectDashboard' } }], cookie)
  const mail = await gatehouse.nextMail({ to: 'ada@example.com', subject: 'one-time link' })
  expect(mail).toMatchObject({
    to: 'ada@example.com',
    code: expect.stringMatching(/^\w{4}-\w{4}$/),
    html: expect.stringContaining('<html'),
  })
  expect(mail.links[0]).toMatch(new RegExp(`^${gatehouse.url}/\\S+#\\S+$`))
  expect(gatehouse.mails).toEqual([mail])
  const answer = await post(routes.magiclinkCode.path, { code: mail.code }, cookie)
  expect(await answer.json()).toMatchObject({ tag: 'AuthSuccessful' })
})
