import { isIPv4 } from 'node:net'
import type { TransportOptions } from 'nodemailer'
import { limits } from '../limits.ts'

/** A mail as it goes out. */
type OutgoingMail = { mailId: string; to: string; subject: string; text: string; html: string; date: Date }

/** Sends a mail, or throws and has not. When the signal aborts it, the mail may have been sent. */
export type SendMail = (mail: OutgoingMail, signal: AbortSignal) => Promise<void>

export type SmtpConfig = { host: string; port: number; tls: 'from-the-start' | 'required' | 'if-offered'; user?: string; password?: string }

/** Loaded with the first mail: a server that keeps its mail, or has none to send yet, has no use for it. */
const loadMailer = () => import('nodemailer')

const loopback = /^(localhost|127\.\d+\.\d+\.\d+|::1)$/

/**
 * Reads `smtps://…` (TLS from the start) or `smtp://…` (STARTTLS, without which nothing is sent). To a server on this
 * machine, or with `?tls=optional`, mail goes without where the server offers none.
 */
export const parseSmtpUrl = (text: string): SmtpConfig | undefined => {
  const url = URL.parse(text)
  if (!url || !/^smtps?:$/.test(url.protocol) || !url.hostname || (url.pathname !== '' && url.pathname !== '/')) return undefined
  const wish = url.searchParams.get('tls')
  const isUnknown = [...url.searchParams.keys()].some((key, i) => key !== 'tls' || i > 0)
  if (isUnknown || !(wish === null || wish === 'optional' || wish === 'required')) return undefined
  const [user, password] = [url.username, url.password].map(decoded)
  if (user === undefined || password === undefined) return undefined
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const secure = url.protocol === 'smtps:'
  const optional = wish === 'optional' || (wish === null && loopback.test(host))
  return {
    host,
    port: url.port ? Number(url.port) : secure ? 465 : 587,
    tls: secure ? 'from-the-start' : optional ? 'if-offered' : 'required',
    ...(user && { user, password }),
  }
}

const decoded = (part: string): string | undefined => {
  try {
    return decodeURIComponent(part)
  } catch {
    // A percent sign that was not escaped.
    return undefined
  }
}

/** An address is greeted with in brackets (RFC 5321 §4.1.3). */
const greetingName = (host: string): string => (isIPv4(host) ? `[${host}]` : host.startsWith('[') ? `[IPv6:${host.slice(1)}` : host)

/**
 * Mail by SMTP (RFC 5321), with TLS as configured (RFC 3207) and certificates checked.
 * @param name the host that greets the mail server (RFC 5321 §4.1.1.1)
 */
export const createSmtp = (config: SmtpConfig, from: string, name: string, deadline: number = limits.mail.deadline) => {
  const options: TransportOptions & Record<string, unknown> = {
    host: config.host,
    port: config.port,
    name: greetingName(name),
    secure: config.tls === 'from-the-start',
    requireTLS: config.tls === 'required',
    ...(config.user !== undefined && { auth: { user: config.user, pass: config.password } }),
    tls: { minVersion: 'TLSv1.2' },
    connectionTimeout: limits.mail.patience,
    greetingTimeout: limits.mail.patience,
    socketTimeout: limits.mail.patience,
    dnsTimeout: limits.mail.patience,
    // Our mails hold neither, and must not come to.
    disableFileAccess: true,
    disableUrlAccess: true,
  }
  const connect = async (more: object = {}) => (await loadMailer()).createTransport({ ...options, ...more })
  let transport: ReturnType<typeof connect> | undefined
  const connected = () => {
    transport ??= connect()
    return transport
  }
  const domain = from.slice(from.lastIndexOf('@') + 1).replace(/[>\s]+$/, '')
  const send: SendMail = async (mail, signal) => {
    const message = {
      // The same however often it is tried, so that a mailbox can tell a repetition.
      messageId: `<${mail.mailId}@${domain}>`,
      date: mail.date,
      from,
      to: { name: '', address: mail.to },
      subject: mail.subject,
      text: mail.text,
      html: mail.html,
      // RFC 3834: no vacation notice may answer.
      headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
      // A server that sends a byte now and then is never silent: the deadline ends before the lease of the mail does.
      signal: AbortSignal.any([signal, AbortSignal.timeout(deadline)]),
    }
    await (await connected()).sendMail(message)
  }
  /** Connects and signs in, and sends nothing. @returns whether that was under TLS @throws what is in the way */
  const verify = async (): Promise<{ tls: boolean }> => {
    await (await connected()).verify()
    if (config.tls !== 'if-offered') return { tls: true }
    return (await connect({ requireTLS: true })).verify().then(
      () => ({ tls: true }),
      () => ({ tls: false }),
    )
  }
  return { send, verify }
}
