import { isIPv4 } from 'node:net'
import type { TransportOptions } from 'nodemailer'
import { limits } from '../limits.ts'

type RenderedMail = { mailId: string; to: string; subject: string; text: string; html: string; date: Date }

/** @throws when the mail was not sent; after the signal aborts, it may have been sent */
export type SendMail = (mail: RenderedMail, signal: AbortSignal) => Promise<void>

export type SmtpConfig = { host: string; port: number; tls: 'from-the-start' | 'required' | 'if-offered'; user?: string; password?: string }

/** Load on the first mail: a server without a mail server never needs it. */
const loadMailer = () => import('nodemailer')

const loopback = /^(localhost|127\.\d+\.\d+\.\d+|::1)$/

/**
 * Reads `smtps://…` (TLS from the start) or `smtp://…` (STARTTLS, required). STARTTLS is optional with `?tls=optional`, and for a mail server
 * on this machine.
 */
export const parseSmtpUrl = (text: string): SmtpConfig | undefined => {
  const url = URL.parse(text)
  if (!url || !/^smtps?:$/.test(url.protocol) || !url.hostname || (url.pathname !== '' && url.pathname !== '/')) return undefined
  const tls = url.searchParams.get('tls')
  const isUnknown = [...url.searchParams.keys()].some((key, i) => key !== 'tls' || i > 0)
  if (isUnknown || !(tls === null || tls === 'optional' || tls === 'required')) return undefined
  const [user, password] = [url.username, url.password].map(decoded)
  if (user === undefined || password === undefined) return undefined
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const secure = url.protocol === 'smtps:'
  const optional = tls === 'optional' || (tls === null && loopback.test(host))
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
    // An unescaped percent sign.
    return undefined
  }
}

/** Brackets an IP address (RFC 5321 §4.1.3). */
const greetingName = (host: string): string => (isIPv4(host) ? `[${host}]` : host.startsWith('[') ? `[IPv6:${host.slice(1)}` : host)

/**
 * Sends mail by SMTP (RFC 5321), with TLS as configured (RFC 3207).
 * @param name the host name in our greeting (RFC 5321 §4.1.1.1)
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
    // Our mails contain neither files nor URLs to load.
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
      // Stays the same for every attempt, so a mailbox can recognize a duplicate.
      messageId: `<${mail.mailId}@${domain}>`,
      date: mail.date,
      from,
      to: { name: '', address: mail.to },
      subject: mail.subject,
      text: mail.text,
      html: mail.html,
      // RFC 3834: suppress out-of-office replies.
      headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
      // A server that sends a byte now and then never times out. The deadline is shorter than the lease of the mail.
      signal: AbortSignal.any([signal, AbortSignal.timeout(deadline)]),
    }
    await (await connected()).sendMail(message)
  }
  /** Connects and signs in, without sending mail. @returns whether TLS was used @throws the reason for a failure */
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
