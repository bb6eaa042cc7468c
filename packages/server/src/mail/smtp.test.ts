import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { seconds } from '../limits.ts'
import { createSmtp, parseSmtpUrl } from './smtp.ts'

test.each([
  ['smtp://mail.example.com', { host: 'mail.example.com', port: 587, tls: 'required' }],
  ['smtp://mail.example.com/', { host: 'mail.example.com', port: 587, tls: 'required' }],
  ['smtp://mail.example.com:25', { host: 'mail.example.com', port: 25, tls: 'required' }],
  ['smtps://mail.example.com', { host: 'mail.example.com', port: 465, tls: 'from-the-start' }],
  ['smtps://mail.example.com:2465', { host: 'mail.example.com', port: 2465, tls: 'from-the-start' }],
  ['smtp://mail.example.com?tls=optional', { host: 'mail.example.com', port: 587, tls: 'if-offered' }],
  ['smtp://mail.example.com?tls=required', { host: 'mail.example.com', port: 587, tls: 'required' }],
  // No attacker on the network can read a connection within this machine, so TLS is optional unless the URL requires it.
  ['smtp://localhost:1025', { host: 'localhost', port: 1025, tls: 'if-offered' }],
  ['smtp://127.0.0.1:1025', { host: '127.0.0.1', port: 1025, tls: 'if-offered' }],
  ['smtp://[::1]:1025', { host: '::1', port: 1025, tls: 'if-offered' }],
  ['smtp://localhost:1025?tls=required', { host: 'localhost', port: 1025, tls: 'required' }],
  ['smtp://localhost.example.com', { host: 'localhost.example.com', port: 587, tls: 'required' }],
  ['smtp://127.0.0.1.example.com', { host: '127.0.0.1.example.com', port: 587, tls: 'required' }],
  ['smtps://localhost', { host: 'localhost', port: 465, tls: 'from-the-start' }],
  ['smtps://mail.example.com?tls=optional', { host: 'mail.example.com', port: 465, tls: 'from-the-start' }],
  ['smtp://ada:secret@mail.example.com', { host: 'mail.example.com', port: 587, tls: 'required', user: 'ada', password: 'secret' }],
  [
    'smtp://ada%40example.com:p%40ss%3Aw%2Frd%25@mail.example.com:2525',
    { host: 'mail.example.com', port: 2525, tls: 'required', user: 'ada@example.com', password: 'p@ss:w/rd%' },
  ],
  ['smtp://ada@mail.example.com', { host: 'mail.example.com', port: 587, tls: 'required', user: 'ada', password: '' }],
])('TL-01: reads %s', (text, config) => {
  expect(parseSmtpUrl(text)).toEqual(config)
})

test.each([
  '',
  'mail.example.com',
  'mail.example.com:587',
  'http://mail.example.com',
  'smtp:mail.example.com:x',
  'smtp://',
  'smtp://:587',
  'smtp://mail.example.com:99999',
  'smtp://mail.example.com/inbox',
  'smtp://mail.example.com?tls=none',
  'smtp://mail.example.com?tls=',
  'smtp://mail.example.com?TLS=optional',
  'smtp://mail.example.com?tls=required&rejectUnauthorized=false',
  'smtp://mail.example.com?ignoreTLS=true',
  // An unescaped percent sign in a password.
  'smtp://ada:50%@mail.example.com',
  'smtp://mail.example.com?tls=required&tls=optional',
])('TL-01: %j is refused', text => {
  expect(parseSmtpUrl(text)).toBeUndefined()
})

test('RX-6: the deadline of a delivery covers a mail server that sends a byte now and then', async () => {
  const server = createServer(socket => {
    socket.on('error', () => {})
    const dripping = setInterval(() => socket.write('2'), 20)
    socket.on('close', () => clearInterval(dripping))
    onTestFinished(() => void socket.destroy())
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const { send } = createSmtp({ host: '127.0.0.1', port, tls: 'if-offered' }, 'Gatehouse <gatehouse@example.com>', 'localhost', 300)
  const begun = performance.now()
  const mail = { mailId: 'a', to: 'ada@example.com', subject: 's', text: 't', html: 'h', date: new Date() }
  const { signal } = new AbortController()
  await expect(send(mail, signal)).rejects.toThrow()
  expect(performance.now() - begun).toBeLessThan(seconds(2))
})
