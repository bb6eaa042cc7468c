import type { SmtpConfig } from './smtp.ts'

/** What nodemailer and Node say of a failed delivery. */
const factsOf = (error: unknown) => {
  const { code, responseCode, command, message } = Object(error) as { [key in 'code' | 'responseCode' | 'command' | 'message']?: unknown }
  return { code, responseCode, command, text: `${String(code)} ${String(message)}` }
}

/** Statuses at RCPT that are about us and not about the recipient: sign in first, wrong order (RFC 4954 §4, RFC 5321 §4.2.3). */
const aboutUs: readonly unknown[] = [503, 530, 534, 535, 538]

/** The status with which the server refused the recipient for good (RFC 5321 §4.2.1); undefined if another try may succeed. */
export const refusalOf = (error: unknown): number | undefined => {
  const { command, responseCode } = factsOf(error)
  if (command !== 'RCPT TO' || typeof responseCode !== 'number' || aboutUs.includes(responseCode)) return undefined
  return responseCode >= 500 && responseCode < 600 ? responseCode : undefined
}

/** What is set up wrong and what to change, if the error tells; nothing of it is a secret. */
export const explainSmtp = (error: unknown, { tls, port }: SmtpConfig): string | undefined => {
  const { code, responseCode, text } = factsOf(error)
  if (code === 'EAUTH') return `it refuses the name or the password in GATEHOUSE_SMTP_URL (${String(responseCode ?? code)})`
  if (code === 'ETLS' && tls !== 'from-the-start') return 'it offers no TLS that works, and GATEHOUSE_SMTP_URL asks for it'
  if (tls === 'from-the-start' && /wrong version number|packet length too long|record layer failure/i.test(text))
    return `port ${port} does not speak TLS from the start: write smtp:// in place of smtps:// in GATEHOUSE_SMTP_URL, which asks for STARTTLS`
  if (tls !== 'from-the-start' && /greeting/i.test(text))
    return `port ${port} sends no greeting: if it expects TLS from the start, as port 465 does, write smtps:// in place of smtp:// in GATEHOUSE_SMTP_URL`
  if (/unable to (verify|get)|self.signed|UNABLE_TO_|SELF_SIGNED/i.test(text))
    return 'no known authority vouches for its certificate: name the file with the certificate of a private authority in NODE_EXTRA_CA_CERTS'
  return undefined
}
