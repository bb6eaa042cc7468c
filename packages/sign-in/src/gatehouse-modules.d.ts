// Modules that packages/language/build/text-modules.ts makes for our pages, and package-languages.ts for the package.

declare module 'gatehouse:languages' {
  export const languages: readonly { tag: string; name: string }[]
}

declare module 'gatehouse:texts/signIn' {
  import type { BaseMessages } from '@gatehouse/sign-in/messages'

  /** All texts of a language, or of English if there is no such language. */
  export const loadTexts: (tag: string) => Promise<BaseMessages>
}
