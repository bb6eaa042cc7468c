import { textIn } from '@gatehouse/language/text.ts'
import type { BaseMessages, OwnMessages } from './language-messages.ts'
import type { Messages } from './messages.ts'
import { type DeepPartial, withEnglish } from './with-english.ts'

type Names = { readonly [key: string]: readonly string[] | Names }

/** The placeholders of each text that has any, in the order of the function's parameters. */
export const placeholders: Names = {
  approveOnPhone: { number: ['digits'], left: ['time'] },
  resetFactor: { to: ['address'] },
  forgotPassword: { sentTo: ['address'], sendAgainIn: ['seconds'] },
  verifyErrors: {
    storeErrors: { StoreIOError: ['details'] },
    databaseErrors: { FactorTypeMismatch: ['given', 'expected'] },
    apiError: ['details'],
    verificationFailedWith: ['status', 'reason'],
    authenticationFailedWith: ['status', 'reason'],
    clockBehind: ['minutes'],
    clockAhead: ['minutes'],
  },
}

/**
 * All texts of a language, some of them replaced by those of the host page, and each pattern as a function.
 * @param tag the language of both. Default: English
 */
export const spoken = (base: BaseMessages, own: OwnMessages | undefined, tag = 'en'): Messages => {
  const text = textIn(tag)
  const functions = (texts: object, names: Names): object =>
    Object.fromEntries(
      Object.entries(texts).map(([key, value]) => {
        const of = Object.hasOwn(names, key) ? names[key] : undefined
        if (of === undefined) return [key, value]
        if (isNames(of)) return [key, typeof value === 'string' ? text(value, ...of) : value]
        return [key, typeof value === 'object' && value !== null ? functions(value, of) : value]
      }),
    )
  // Patterns are now functions, which TypeScript cannot follow.
  const whole = functions(base, placeholders) as Messages
  return withEnglish(whole, own && (functions(own, placeholders) as DeepPartial<Messages>))
}

const isNames = (names: readonly string[] | Names): names is readonly string[] => Array.isArray(names)
