import { allLanguages, readTranslations } from '@gatehouse/language/build/translations.ts'
import { sourceOf, translate } from '@gatehouse/language/translate.ts'
import type { Plugin } from 'vite'
import { english } from '../src/messages/en.ts'

const translations = readTranslations()

/** The tags of the package's languages, besides English. */
export const languageTags = translations.map(({ language }) => language.tag)

/** A language as it is shipped: plain data, so that server components can pass it. Texts that the translation lacks are in English. */
const moduleOf = (tag: string) => {
  const translation = translations.find(({ language }) => language.tag === tag)
  const texts = sourceOf(translate(english, translation?.signIn, tag))
  return `export const messages = ${JSON.stringify({ language: tag, ...texts })}`
}

const typesOf = ({ name }: { name: string }) => `import type { LanguageMessages } from "../messages.js";

/** All texts of the widget in this language: ${name}. */
export declare const messages: LanguageMessages;
`

const englishFile = new URL('../src/messages/en.ts', import.meta.url).pathname

/** A bundler makes one chunk for each language. */
const loader = `import { retriable } from '@gatehouse/ui/loading/retriable.ts'
const modules = { ${languageTags.map(tag => `${JSON.stringify(tag)}: retriable(() => import("gatehouse:language/${tag}"))`).join(', ')} }
const english = retriable(() => import(${JSON.stringify(englishFile)}))
export const loadTexts = async tag => modules[tag] ? (await modules[tag]()).messages : (await english()).english`

/** Without a bundler, each language is a file beside the one script. */
const pageLoader = `import { english } from ${JSON.stringify(englishFile)}
const script = document.currentScript ?? document.querySelector('script[src*="gatehouse-sign-in.js"]')
export const loadTexts = async tag =>
  tag === 'en' ? english : (await import(/* @vite-ignore */ new URL('languages/' + tag + '.js', script?.src ?? document.baseURI).href)).messages`

/**
 * The languages of the package: `gatehouse:languages`, `gatehouse:texts/signIn`, and `gatehouse:language/<tag>` for each file that hosts
 * import.
 */
export const packageLanguages = (isPageScript: boolean): Plugin => ({
  name: 'gatehouse-package-languages',
  // The id of a build's entry is a path that ends with the module's name.
  resolveId: id => {
    const [module] = /gatehouse:[\w/-]+$/i.exec(id) ?? []
    return module && `\0${module}`
  },
  load: id => {
    if (id === '\0gatehouse:languages') return `export const languages = ${JSON.stringify(allLanguages())}`
    if (id === '\0gatehouse:texts/signIn') return isPageScript ? pageLoader : loader
    const [, tag] = /^\0gatehouse:language\/(.+)$/.exec(id) ?? []
    return tag && moduleOf(tag)
  },
  generateBundle() {
    for (const { language } of translations) {
      const [path, source] = isPageScript ? [`${language.tag}.js`, moduleOf(language.tag)] : [`${language.tag}.d.ts`, typesOf(language)]
      this.emitFile({ type: 'asset', fileName: `languages/${path}`, source })
    }
  },
})
