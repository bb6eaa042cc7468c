import { once } from 'node:events'
import type { Socket } from 'node:net'
import { type ParsedMail, simpleParser } from 'mailparser'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { onTestFinished } from 'vitest'
import { freePort } from '../support/free-port.ts'

/** How the mail server treats clients. */
type Behavior =
  | 'takes'
  /** Accepts connections and sends nothing. */
  | 'is-silent'
  /** Accepts the whole mail and disconnects before acknowledging it. */
  | 'drops'
  /** Accepts the whole mail and never acknowledges it. */
  | 'swallows'
  /** Refuses the recipient with this status. */
  | number

type Tls = 'none' | 'built-in' | { key: string; cert: string }

/** A mail server that stores what it accepts. It stops when the test ends. */
export const startSmtpSink = async ({ tls = 'none' as Tls, fromTheStart = false, user = '', password = '' } = {}) => {
  const port = await freePort()
  const sink = {
    port,
    url: `smtp://127.0.0.1:${port}`,
    behavior: 'takes' as Behavior,
    /** Accepted mails, oldest first. */
    mails: [] as ParsedMail[],
    connections: 0,
    /** Recipients that never get an answer. */
    tarPits: new Set<string>(),
    /** Recipients refused with a status. */
    refusals: new Map<string, number>(),
    /** The status that refuses every sender, if any. */
    refusesSender: 0,
    /** All received bytes. */
    heard: '',
    stop: async () => {},
    start: async () => {},
  }
  const options: SMTPServerOptions = {
    // The library's default certificate is not trusted.
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
      // A client killed in mid-mail has not sent it, and a sink stopped before reading a mail has not accepted it.
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
    // Ignore clients that disconnect mid-conversation.
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

/** The address of a mail's recipient. */
export const recipientOf = ({ to }: ParsedMail): string => [to ?? []].flat()[0]?.value[0]?.address ?? ''
