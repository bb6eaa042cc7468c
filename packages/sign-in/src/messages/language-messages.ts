import type { Source } from '@gatehouse/language/translate.ts'
import type { Messages } from './messages.ts'

/**
 * All texts of one language, as `@gatehouse/sign-in/languages/*` exports them. A text with values is its pattern, such as
 * `Sent to {address}`: a server component can pass it to the widget.
 */
export type LanguageMessages = Source<Messages> & {
  /** BCP 47, such as `pt-BR`. */
  language: string
}

/** All texts of a language, with functions or patterns. */
export type BaseMessages = Messages | LanguageMessages

/** Texts that a host page changes. A text with values is a function or a pattern. */
type OwnTexts<T> = T extends (...values: never) => string
  ? T | string
  : T extends object
    ? { [Key in keyof T]?: OwnTexts<T[Key]> | undefined }
    : T

/** What a host page may pass: the texts that it changes, or all texts of a language. */
export type OwnMessages = OwnTexts<Messages> | LanguageMessages

/** The texts of a language, if they are all of its texts. Undefined for texts that a host page changes. */
export const wholeLanguage = (messages: OwnMessages | undefined): LanguageMessages | undefined => (isWhole(messages) ? messages : undefined)

const isWhole = (messages: OwnMessages | undefined): messages is LanguageMessages => messages !== undefined && 'language' in messages
