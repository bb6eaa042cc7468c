// The entry `@gatehouse/sign-in/messages`. It has no `use client`, so that server components can import it.
export { english } from './en.ts'
export type { BaseMessages, LanguageMessages, OwnMessages } from './language-messages.ts'
export type { Messages } from './messages.ts'
export { type DeepPartial, withEnglish } from './with-english.ts'
