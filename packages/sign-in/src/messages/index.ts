// The entry `@gatehouse/sign-in/messages`. It says no `use client`: a server component reads the words, too.
export { english } from './en.ts'
export type { Messages } from './messages.ts'
export { type DeepPartial, withEnglish } from './with-english.ts'
