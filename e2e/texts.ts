import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { english } from '../packages/sign-in/src/messages/en.ts'

const sourceOf = (tag: string): unknown =>
  tag === 'en'
    ? { signIn: english }
    : JSON.parse(readFileSync(join(import.meta.dirname, `../packages/language/translations/${tag}.json`), 'utf8'))

/** The texts of a language without placeholders, by their path in its file, such as `signIn.login.email`. English has only the widget's. */
export const textsIn = (tag: string) => {
  const source = sourceOf(tag)
  return (path: string) => {
    const found = path.split('.').reduce<unknown>((part, name) => Object(part)[name], source)
    if (typeof found !== 'string') throw new Error(`the language ${tag} has no text ${path}`)
    return found
  }
}
