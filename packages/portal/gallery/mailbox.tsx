import { MailboxPage } from '../src/server-pages/mailbox-page.tsx'
import '../src/server-pages/mailbox.css'
import type { Group } from './scene.ts'

const at = '2026-11-20T03:14:15Z'
const messages = [
  { id: '3', to: 'ada@example.com', subject: 'Your one-time link for Gatehouse', at },
  {
    id: '2',
    to: `${'long.name.'.repeat(5)}@${'sub.'.repeat(20)}example.com`,
    subject: 'Choose a new password',
    at: '2026-11-20T03:10:00Z',
  },
  {
    id: '1',
    to: 'admin@example.com',
    subject: 'Somebody skipped setting up a second factor, and here is a subject as long as a mail can bear it',
    at: '2026-11-19T23:59:59Z',
  },
]
const text = `Somebody asked for a one-time link for ada@example.com.

http://localhost:8080/one-time-link#Zk3dV0bX9r2m1Yd7Kq.Jx8hT2vQm5nR0cUe1sLZ4gJx8hT2vQm5nR0cUe1sLZ4g

It works once, for 10 minutes.`
const open = { id: '3', to: 'ada@example.com', from: 'Gatehouse <no-reply@localhost>', subject: 'Your one-time link for Gatehouse', text }

/** Whether the gallery shows a brand, and a mail in it. */
const hasMail = document.querySelector('meta[name=gallery-mail]') !== null

export const mailbox: Group = {
  name: 'Mailbox',
  scenes: [
    { name: 'Empty', draw: () => <MailboxPage base="" messages={[]} /> },
    { name: 'List', draw: () => <MailboxPage base="" messages={messages} /> },
    // Without a brand, the gallery's server has no mail, so the frame's address contains the content.
    {
      name: 'Open',
      draw: () => (
        <MailboxPage base={hasMail ? '' : 'data:text/html,<p>The mail as HTML.</p><!--'} messages={messages} open={{ ...open, at }} />
      ),
    },
  ],
}
