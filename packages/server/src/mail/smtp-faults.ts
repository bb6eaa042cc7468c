import type { SmtpConfig } from './smtp.ts'

/** The facts that nodemailer and Node report about a failed delivery. */
const factsOf = (error: unknown) => {
  const { code, responseCode, command, message } = Object(error) as { [key in 'code' | 'responseCode' | 'command' | 'message']?: unknown }
  return { code, responseCode, command, text: `${String(code)} ${String(message)}` }
}

/** Statuses at RCPT that concern this server, not the recipient: sign-in missing, or wrong order (RFC 4954 §4, RFC 5321 §4.2.3). */
const aboutUs: readonly unknown[] = [503, 530, 534, 535, 538]

/** The status of a permanent refusal of the recipient (RFC 5321 §4.2.1); undefined if a retry may succeed. */
export const refusalOf = (error: unknown): number | undefined => {
  const { command, responseCode } = factsOf(error)
  if (command !== 'RCPT TO' || typeof responseCode !== 'number' || aboutUs.includes(responseCode)) return undefined
  return responseCode >= 500 && responseCode < 600 ? responseCode : undefined
}

/** Which setting is wrong and how to fix it, if the error reveals that. Contains no secret. */
export const explainSmtp = (error: unknown, { tls, port }: SmtpConfig): string | undefined => {
  const { code, responseCode, text } = factsOf(error)
  if (code === 'EAUTH') return `it rejects the user name or password in GATEHOUSE_SMTP_URL (${String(responseCode ?? code)})`
  if (code === 'ETLS' && tls !== 'from-the-start') return 'it offers no working TLS, but GATEHOUSE_SMTP_URL requires it'
  if (tls === 'from-the-start' && /wrong version number|packet length too long|record layer failure/i.test(text))
    return `port ${port} does not start with TLS: use smtp:// (STARTTLS) instead of smtps:// in GATEHOUSE_SMTP_URL`
  if (tls !== 'from-the-start' && /greeting/i.test(text))
    return `port ${port} sends no greeting: if it starts with TLS, as port 465 does, use smtps:// instead of smtp:// in GATEHOUSE_SMTP_URL`
  if (/unable to (verify|get)|self.signed|UNABLE_TO_|SELF_SIGNED/i.test(text))
    return 'its certificate comes from an unknown authority: for a private authority, set NODE_EXTRA_CA_CERTS to the file with its certificate'
  return undefined
}
