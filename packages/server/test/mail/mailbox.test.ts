import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { routes } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { limits } from '../../src/limits.ts'
import { createMailbox } from '../../src/mail/mailbox.ts'
import { mailedLink } from '../credentials/mailed-link.ts'
import { ada, startServer } from '../support/harness.ts'

type Server = Awaited<ReturnType<typeof startServer>>

/** A request from this machine. */
const open = (server: Server, url: string) =>
  server.app.inject({ url, remoteAddress: '127.0.0.1', headers: { host: 'localhost:8080', accept: 'text/html' } })
const askFor = (server: Server, useremail: string, headers = {}) =>
  server.openBrowser().send('POST', routes.sendPasswordResetEmail.path, { useremail }, headers)

test('a development server shows its mails at /mail: the list, a mail, and a mail as a mail program shows it', async () => {
  const server = await startServer()
  await server.addUser()
  expect((await open(server, '/mail')).statusCode).toBe(200)
  await askFor(server, ada.username)
  const [mail] = await server.deliver()
  const { token } = mailedLink(mail ? [mail] : [], 'new-password')
  const list = await open(server, '/mail')
  expect(list.headers['content-type']).toBe('text/html; charset=utf-8')
  // Long addresses may break after their separators.
  expect(list.body.replaceAll('<wbr/>', '')).toContain(ada.username)
  expect(list.body).toContain(`/mail/${mail?.id}`)
  // The list does not show the contents of mails.
  expect(list.body).not.toContain(token)
  const one = await open(server, `/mail/${mail?.id}`)
  expect([one.statusCode, one.body.includes(token)]).toEqual([200, true])
  const html = await open(server, `/mail/${mail?.id}/html`)
  expect(html.statusCode).toBe(200)
  expect(html.body).toContain(token)
  expect(html.headers['content-security-policy']).toBe(
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'; sandbox allow-popups allow-top-navigation-by-user-activation",
  )
  expect(html.headers['cache-control']).toBe('no-store')
})

test('answers 400 or 404 for an unknown mail and serves no other file', async () => {
  const server = await startServer()
  await server.addUser()
  await askFor(server, ada.username)
  const [mail] = await server.deliver()
  for (const id of [
    'nothing',
    '0000000000000-00000000-0000-0000-0000-000000000000',
    '..%2fmaster.key',
    '..%2f..%2fmaster.key',
    '%2e%2e%2fgatehouse.sqlite',
    `${mail?.id}.json`,
    `${mail?.id}%00`,
    `..%2fmail%2f${mail?.id}`,
    `${mail?.id}%0a`,
  ]) {
    for (const url of [`/mail/${id}`, `/mail/${id}/html`])
      expect([url, (await open(server, url)).statusCode]).toEqual([url, expect.toBeOneOf([400, 404])])
  }
})

test('production and a server with SMTP have no mailbox; in production the main listener serves no metrics', async () => {
  const smtp = { GATEHOUSE_SMTP_URL: 'smtp://localhost:1' }
  const production = {
    ...smtp,
    NODE_ENV: 'production',
    GATEHOUSE_PUBLIC_URL: 'https://sign-in.example.com',
    GATEHOUSE_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
  }
  for (const [env, metrics] of [
    [smtp, 200],
    [production, 404],
  ] as const) {
    const server = await startServer({ env })
    for (const url of ['/mail', '/mail/x', '/mail/x/html']) expect([url, (await open(server, url)).statusCode]).toEqual([url, 404])
    expect((await open(server, '/metrics')).statusCode).toBe(metrics)
  }
})

test.each([
  ['http://localhost:8080', 'localhost:8080', 200],
  ['http://gate.localhost:8080', 'gate.localhost:8080', 200],
  ['http://127.0.0.2', '127.0.0.2', 200],
  ['https://[::1]:8443', '[::1]:8443', 200],
  ['http://sign-in.example.com', 'localhost', 404],
  ['http://192.0.2.7:8080', '127.0.0.1:8080', 404],
  ['http://localhost.example.com', 'localhost', 404],
  ['http://notlocalhost', 'localhost', 404],
  ['http://127.0.0.1.example.com', '127.0.0.1', 404],
])('on its own machine, a server at %s answers a request for mail or metrics with host %s with %d', async (publicUrl, host, status) => {
  const server = await startServer({ env: { GATEHOUSE_PUBLIC_URL: publicUrl } })
  await server.addUser()
  await askFor(server, ada.username)
  // The mail is stored even if it is not shown.
  const [mail] = await server.deliver()
  expect(mail?.to).toBe(ada.username)
  for (const url of ['/mail', `/mail/${mail?.id}`, `/mail/${mail?.id}/html`, '/metrics']) {
    const { statusCode } = await server.app.inject({ url, remoteAddress: '127.0.0.1', headers: { host } })
    expect([url, statusCode]).toEqual([url, status])
  }
})

test('the mailbox keeps the newest mails, in files that only their owner can read', async () => {
  const server = await startServer()
  const mailbox = createMailbox(server.config.mailFolder, server.config.mailFrom)
  const { mailbox: most } = limits.mail
  const { signal } = new AbortController()
  for (let i = 0; i < most + 3; i++) {
    const mailId = `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`
    const content = { to: ada.username, subject: String(i), text: '', html: '', date: new Date(server.clock.at + i) }
    await mailbox.send({ mailId, ...content }, signal)
  }
  const mails = await mailbox.list()
  expect([mails.length, mails[0]?.subject, mails.at(-1)?.subject]).toEqual([most, String(most + 2), '3'])
  const files = await readdir(server.config.mailFolder)
  expect(files).toHaveLength(most)
  for (const file of files.slice(0, 3)) expect((await stat(join(server.config.mailFolder, file))).mode & 0o077).toBe(0)
  expect((await stat(server.config.mailFolder)).mode & 0o077).toBe(0)
})
