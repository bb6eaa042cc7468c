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
    subject: 'A user skipped setting up a second factor, and this subject takes more than one line of the list',
    at: '2026-11-19T23:59:59Z',
  },
]
const link = 'http://localhost:8080/one-time-link#Zk3dV0bX9r2m1Yd7Kq.Jx8hT2vQm5nR0cUe1sLZ4gJx8hT2vQm5nR0cUe1sLZ4g'
const text = `A one-time link was requested for ada@example.com. It works once, for 10 minutes.

${link}`
const html = `data:text/html,<meta name="color-scheme" content="light dark"><body style="margin:32px;font:16px/1.5 system-ui">
<h1 style="font-size:22px">Your one-time link</h1>
<p>A one-time link was requested for ada@example.com. It works once, for 10 minutes.</p>
<p><a style="padding:12px 20px;border-radius:8px;background:%232d54d6;color:white;text-decoration:none;display:inline-block">Sign in</a></p>
</body><!--`
const open = { id: '3', to: 'ada@example.com', from: 'Gatehouse <no-reply@localhost>', subject: 'Your one-time link for Gatehouse', text }

/** Whether the gallery shows a brand, with an email. */
const hasMail = document.querySelector('meta[name=gallery-mail]') !== null

export const mailbox: Group = {
  name: 'Mailbox',
  scenes: [
    { name: 'Empty', draw: () => <MailboxPage base="" messages={[]} /> },
    { name: 'List', draw: () => <MailboxPage base="" messages={messages} /> },
    // Without a brand, the gallery's server has no email, so the frame's address is a `data:` URL.
    {
      name: 'Open',
      draw: () => <MailboxPage base={hasMail ? '' : html} messages={messages} open={{ ...open, at }} />,
    },
  ],
}
