import { MailboxPage } from '../src/server-pages/mailbox-page.tsx'
import '../src/server-pages/mailbox.css'
import type { Group } from './scene.ts'

const at = '2026-11-20T03:14:15Z'
const messages = [
  { id: '3', to: 'ada@example.com', subject: 'Your one-time link for Gatehouse', at },
  { id: '2', to: 'grace@example.com', subject: 'Choose a new password', at: '2026-11-20T03:10:00Z' },
  { id: '1', to: 'admin@example.com', subject: 'A user skipped setting up a second factor', at: '2026-11-19T23:59:59Z' },
]
const longMessages = [
  { id: '2', to: `${'long.name.'.repeat(5)}@${'sub.'.repeat(20)}example.com`, subject: 'Choose a new password', at },
  { id: '1', to: 'admin@example.com', subject: 'A subject that takes more than one line of the list, because it is long', at },
]
const link = 'http://localhost:8080/one-time-link#Zk3dV0bX9r2m1Yd7Kq.Jx8hT2vQm5nR0cUe1sLZ4gJx8hT2vQm5nR0cUe1sLZ4g'
const text = `A one-time link was requested for ada@example.com. It works once, for 10 minutes.

${link}`
const html = `data:text/html,<meta name="color-scheme" content="light dark">
<body style="margin:0;padding:24px 12px;background:light-dark(%23f5f6f8,%230f1218);color:light-dark(%23161a22,%23eceff4);font:15px/24px system-ui">
<div style="max-width:560px;margin:auto;padding:28px 32px;box-sizing:border-box;background:light-dark(white,%23161a22);border:1px solid light-dark(%23e2e5ea,%23262c38);border-radius:14px">
<h1 style="margin:0 0 12px;font-size:20px">Your one-time link</h1>
<p style="margin:0 0 20px">A one-time link was requested for ada@example.com. It works once, for 10 minutes.</p>
<p style="margin:0"><a style="padding:11px 24px;border-radius:8px;background:%232f55d4;color:white;font-weight:600;text-decoration:none;display:inline-block">Sign in</a></p>
</div></body><!--`
const open = { id: '3', to: 'ada@example.com', from: 'Gatehouse <no-reply@localhost>', subject: 'Your one-time link for Gatehouse', text }

/** Whether the gallery shows a brand. Only then does its server have an email. */
const hasMail = document.querySelector('meta[name=gallery-mail]') !== null

export const mailbox: Group = {
  name: 'Mailbox',
  scenes: [
    { name: 'Empty', draw: () => <MailboxPage base="" messages={[]} /> },
    { name: 'List', draw: () => <MailboxPage base="" messages={messages} /> },
    { name: 'List, the longest address', draw: () => <MailboxPage base="" messages={longMessages} /> },
    // Without a brand, the gallery's server has no email, so the frame's address is a `data:` URL.
    {
      name: 'Open',
      draw: () => <MailboxPage base={hasMail ? '' : html} messages={messages} open={{ ...open, at }} />,
    },
  ],
}
