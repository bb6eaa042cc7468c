import { createTransport, type TransportOptions } from 'nodemailer'
import { limits } from './limits.ts'

/** A mail as it goes out. */
export type OutgoingMail = { mailId: string; to: string; subject: string; text: string; html: string; date: Date }

/** Sends a mail, or throws and has not. */
export type SendMail = (mail: OutgoingMail) => Promise<void>

export type SmtpConfig = { host: string; port: number; tls: 'from-the-start' | 'required' | 'if-offered'; user?: string; password?: string }

const loopback = /^(localhost|127\.\d+\.\d+\.\d+|::1)$/

/**
 * Reads `smtps://…` (TLS from the start) or `smtp://…` (STARTTLS, without which nothing is sent). To a server on this
 * machine, or with `?tls=optional`, mail goes without where the server offers none.
 */
export const parseSmtpUrl = (text: string): SmtpConfig | undefined => {
  const url = URL.parse(text)
  if (!url || !/^smtps?:$/.test(url.protocol) || !url.hostname || (url.pathname !== '' && url.pathname !== '/')) return undefined
  const wish = url.searchParams.get('tls')
  if ([...url.searchParams.keys()].some(key => key !== 'tls') || !(wish === null || wish === 'optional' || wish === 'required'))
    return undefined
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const secure = url.protocol === 'smtps:'
  const optional = wish === 'optional' || (wish === null && loopback.test(host))
  return {
    host,
    port: url.port ? Number(url.port) : secure ? 465 : 587,
    tls: secure ? 'from-the-start' : optional ? 'if-offered' : 'required',
    ...(url.username && { user: decodeURIComponent(url.username), password: decodeURIComponent(url.password) }),
  }
}

/** Mail by SMTP (RFC 5321), with TLS as configured (RFC 3207) and certificates checked. */
export const createSmtp = (config: SmtpConfig, from: string) => {
  const options: TransportOptions & Record<string, unknown> = {
    host: config.host,
    port: config.port,
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
  const transport = createTransport(options)
  const domain = from.slice(from.lastIndexOf('@') + 1).replace(/[>\s]+$/, '')
  const send: SendMail = async mail => {
    await transport.sendMail({
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
    })
  }
  /** Connects and signs in, and sends nothing. @throws what is in the way */
  const verify = async () => {
    await transport.verify()
  }
  return { send, verify }
}
