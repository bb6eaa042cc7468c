import { parts } from '../../language/build/parts.ts'
import { textModules } from '../../language/build/text-modules.ts'

/** The modules of the pages' texts. */
export const pageTexts = textModules(parts)

/** The name of the chunk for a module with the texts of one part in one language. */
export const textChunk = (module: string | null | undefined) => {
  const [, part, tag] = /^\0gatehouse:texts\/(\w+)\/([\w-]+)$/.exec(module ?? '') ?? []
  return part && tag && `assets/texts-${part}-${tag}-[hash].js`
}
