import { language, administrationTexts as words } from '../messages/current.ts'

type Step = { auditEvent: string; auditResult: string }

/** German and Luxembourgish capitalize nouns, and few texts of steps begin with another word. */
const capitalizesNouns = /^(de|lb)\b/

const providers = ['google', 'azure', 'pak'] as const

/** A text after a colon or after another step. It begins in lowercase, except for names and in languages that capitalize nouns. */
export const inSentence = (text: string): string => {
  const { results } = words.audit
  const keeps = capitalizesNouns.test(language) || providers.some(code => text.startsWith(results[code] ?? code))
  return keeps ? text : text.charAt(0).toLocaleLowerCase(language) + text.slice(1)
}

/** The text of an audited result: its codes, joined by colons. Numbers (a mail server's reply) and unknown codes stay unchanged. */
export const resultText = (result: string): string =>
  result
    .split(': ')
    .map(code => words.audit.results[code] ?? words.mails.kinds[code] ?? code)
    .reduce((before, after) => words.audit.joined(before, after))

/** The text of an audit row, for example `Google: second factor required`. */
export const stepText = ({ auditEvent: event, auditResult: result }: Step): string => {
  const { steps, clock, events, joined } = words.audit
  const own = steps[`${event} ${result}`] ?? steps[result]
  if (own !== undefined) return own
  const [, way, minutes] = /^wrong-code: (clock-ahead|clock-behind): (\d+) min$/.exec(result) ?? []
  if (way === 'clock-ahead' || way === 'clock-behind') return clock[way](Number(minutes))
  if (event === 'sso') return providerText(result)
  const title = events[event] ?? event
  return result === 'successful' ? title : joined(title, inSentence(resultText(result)))
}

/** The text of a sign-in through a provider, or of linking a provider. */
const providerText = (result: string): string => {
  const { steps, results, provider: ofProvider, joined } = words.audit
  const [, code = '', came = ''] = /^(\w+): (.+)$/.exec(result) ?? []
  const provider = results[code] ?? code
  if (came === 'successful') return ofProvider.accepted(provider)
  if (came === 'successful: Provider') return ofProvider.acceptedWithFactor(provider)
  return joined(provider, inSentence(steps[came] ?? resultText(came)))
}
