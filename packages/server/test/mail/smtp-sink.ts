import { once } from 'node:events'
import type { Socket } from 'node:net'
import { type ParsedMail, simpleParser } from 'mailparser'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { onTestFinished } from 'vitest'
import { freePort } from '../support/free-port.ts'

/** What the mail server does with whoever connects. */
type Behavior =
  | 'takes'
  /** Takes connections and says nothing. */
  | 'is-silent'
  /** Takes the whole mail and breaks off before it says so. */
  | 'drops'
  /** Takes the whole mail and never says so. */
  | 'swallows'
  /** Refuses the recipient with this status. */
  | number

type Tls = 'none' | 'built-in' | { key: string; cert: string }

/** A mail server that keeps what it takes. Goes away with the test. */
export const startSmtpSink = async ({ tls = 'none' as Tls, fromTheStart = false, user = '', password = '' } = {}) => {
  const port = await freePort()
  const sink = {
    port,
    url: `smtp://127.0.0.1:${port}`,
    behavior: 'takes' as Behavior,
    /** The mails it took, the oldest first. */
    mails: [] as ParsedMail[],
    connections: 0,
    /** Recipients that it never answers for, as a tar pit does. */
    tarPits: new Set<string>(),
    /** Recipients that it refuses, with a status. */
    refusals: new Map<string, number>(),
    /** The status with which it refuses every sender, if any. */
    refusesSender: 0,
    /** Everything that came in as it was on the wire. */
    heard: '',
    stop: async () => {},
    start: async () => {},
  }
  const options: SMTPServerOptions = {
    // The library has a certificate built in, which nobody vouches for.
    ...(typeof tls === 'object' && { key: tls.key, cert: tls.cert }),
    disabledCommands: [...(tls === 'none' ? ['STARTTLS'] : []), ...(user ? [] : ['AUTH'])],
    authOptional: !user,
    allowInsecureAuth: true,
    secure: fromTheStart,
    disableReverseLookup: true,
    closeTimeout: 1,
    onConnect: (_session, callback) => {
      if (sink.behavior !== 'is-silent') callback()
    },
    onAuth: (auth, _session, callback) =>
      auth.username === user && auth.password === password ? callback(null, { user }) : callback(new Error('wrong password')),
    onMailFrom: (_address, _session, callback) => {
      callback(sink.refusesSender > 0 ? Object.assign(new Error('no'), { responseCode: sink.refusesSender }) : null)
    },
    onRcptTo: ({ address }, _session, callback) => {
      if (sink.tarPits.has(address)) return
      const status = sink.refusals.get(address) ?? sink.behavior
      callback(typeof status === 'number' ? Object.assign(new Error('not now'), { responseCode: status }) : null)
    },
    onData: async (stream, _session, callback) => {
      const during = server
      // Who is killed amid a mail has not sent it; nor has a server taken it that was stopped before it had read it.
      const mail = await simpleParser(stream).catch(() => undefined)
      if (!mail || server !== during) return callback(new Error('cut off'))
      sink.mails.push(mail)
      if (sink.behavior === 'drops') cut()
      else if (sink.behavior !== 'swallows') callback()
    },
  }
  const sockets = new Set<Socket>()
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  let server: SMTPServer | undefined
  sink.start = async () => {
    server = new SMTPServer(options)
    // Who goes away in the middle of a conversation is no fault of ours.
    server.on('error', () => {})
    server.server.on('connection', socket => {
      sink.connections++
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
      socket.on('data', chunk => (sink.heard += chunk.toString('latin1')))
    })
    await once(server.listen(port, '127.0.0.1'), 'listening')
  }
  sink.stop = async () => {
    const going = server
    server = undefined
    cut()
    if (going) await new Promise<void>(resolve => going.close(resolve))
  }
  await sink.start()
  onTestFinished(() => sink.stop())
  return sink
}

/** Whom a mail is to, by address alone. */
export const recipientOf = ({ to }: ParsedMail): string => [to ?? []].flat()[0]?.value[0]?.address ?? ''
