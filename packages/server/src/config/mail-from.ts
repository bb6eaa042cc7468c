type Reader = {
  read: (name: string) => string | undefined
  problem: (name: string, sentence: string) => void
}

/** `Name <address>` or an address alone. Without the variable, `whole` is absent, and the sender has the product's name. */
export const readMailFrom = ({ read, problem }: Reader, origin: string): { whole?: string; address: string; name: string } => {
  const otherwise = { address: `gatehouse@${new URL(origin).hostname}`, name: 'Gatehouse' }
  const text = read('GATEHOUSE_MAIL_FROM')
  if (text === undefined) return otherwise
  const [, name = '', address = ''] = /^([^<>\r\n"]*?)\s*<([^<>\s]+@[^<>\s]+)>$/.exec(text) ?? [text, '', text]
  if (/^[^\s@<>,;"]+@[^\s@<>,;"]+$/.test(address)) return { whole: text, address, name: name || 'Gatehouse' }
  problem('GATEHOUSE_MAIL_FROM', ' must be one sender, for example Acme Monitoring <sign-in@acme.example>')
  return otherwise
}

/** A sender (RFC 5322 §3.4). The name is quoted if it contains a character that has a special meaning in mail headers. */
export const senderOf = (name: string, address: string) => `${/[(),.:;@[\]]/.test(name) ? `"${name}"` : name} <${address}>`
