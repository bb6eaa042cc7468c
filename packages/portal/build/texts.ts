import { resolve } from 'node:path'
import { textModules } from '../../language/build/text-modules.ts'

const messages = (file: string) => resolve(import.meta.dirname, '../src/messages', file)

/** The modules of the pages' texts, by the names of their parts in translations. */
export const pageTexts = textModules({
  signIn: { file: resolve(import.meta.dirname, '../../sign-in/src/messages/en.ts'), name: 'english' },
  portal: { file: messages('en.ts'), name: 'english' },
  account: { file: messages('en-account.ts'), name: 'englishAccount' },
  administration: { file: messages('en-administration.ts'), name: 'englishAdministration' },
  approver: { file: messages('en-approver.ts'), name: 'englishApprover' },
})

/** The name of a chunk that contains one part in one language, by the module that it was made for. */
export const textChunk = (module: string | null | undefined) => {
  const [, part, tag] = /^\0gatehouse:texts\/(\w+)\/([\w-]+)$/.exec(module ?? '') ?? []
  return part && tag && `assets/texts-${part}-${tag}-[hash].js`
}
