import { results, signInSteps } from './audit-words.ts'
import { resultText, words } from './words.ts'

const providers = ['google', 'azure', 'pak'].map(code => results[code] ?? code)

/** A text within a sentence: names keep their capital letter. */
export const inSentence = (text: string): string =>
  providers.some(name => text.startsWith(name)) ? text : text.charAt(0).toLowerCase() + text.slice(1)

/** The text of an audit row, for example `Google: second factor required`. */
export const stepText = ({ auditEvent: event, auditResult: result }: { auditEvent: string; auditResult: string }): string => {
  const own = signInSteps[`${event} ${result}`] ?? signInSteps[result]
  if (own !== undefined) return own
  const [, clock] = /^wrong-code: (clock-\w+: .+)$/.exec(result) ?? []
  if (clock !== undefined) return `${signInSteps['wrong-code']}: ${inSentence(resultText(clock).replace(': ', ' '))}`
  if (event === 'sso') return providerText(result)
  const [, used = ''] = /^successful: (\w+)$/.exec(result) ?? []
  if (used !== '') return words.user.accepted(results[used] ?? used)
  const title = words.events[event] ?? event
  return result === 'successful' ? title : `${title}: ${inSentence(resultText(result).replace(/^Requested: /, ''))}`
}

/** A sign-in through a provider, or its linking. */
const providerText = (result: string): string => {
  const [, code = '', came = ''] = /^(\w+): (.+)$/.exec(result) ?? []
  const provider = results[code] ?? code
  if (came === 'successful') return words.user.accepted(provider)
  if (came.startsWith('successful: ')) return `${words.user.accepted(provider)}, ${inSentence(resultText(came.slice(12)))}`
  return `${provider}: ${inSentence(signInSteps[came] ?? resultText(came))}`
}
