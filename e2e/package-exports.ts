import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** One export of a package's entry, as its built types declare it. */
export type Export = { name: string; kind: 'function' | 'value' | 'type' | 'namespace'; says: string }

type Names = Map<string, { local: string; isType: boolean }>

/** Parses the list `type A, b as C` of an export or import statement. The keys are the exported names. */
const namesIn = (list: string): Names =>
  new Map(
    list
      .split(',')
      .map(entry => entry.trim())
      .filter(Boolean)
      .map(entry => {
        const [, type, local = '', outside = local] = /^(type\s+)?([\w$]+)(?:\s+as\s+([\w$]+))?$/.exec(entry) ?? []
        return [outside, { local, isType: type !== undefined }] as const
      }),
  )

/** The declaration of a name in a file of built types, or in the file that it imports the name from. */
const declarationOf = (file: string, local: string): { kind: Export['kind']; says: string } | undefined => {
  if (!existsSync(file)) return undefined
  const text = readFileSync(file, 'utf8')
  // Anchor at a line's start: lists of imports contain `type` and a name too.
  const name = local.replaceAll('$', '\\$')
  const found = new RegExp(
    `(/\\*\\*(?:(?!\\*/)[\\s\\S])*\\*/\\s*)?^(?:export )?(?:declare )?(const|function|type|interface|class|namespace) ${name}\\b([^\\n]*)`,
    'm',
  ).exec(text)
  if (found) {
    const [, comment = '', word = '', rest = ''] = found
    const isCall = word === 'function' || /^\s*(?::|=)?\s*(?:<[^>]*>)?\(/.test(rest.replace(/^: /, ''))
    const kind = word === 'type' || word === 'interface' ? 'type' : word === 'namespace' ? 'namespace' : isCall ? 'function' : 'value'
    const [says = ''] = comment
      .replace(/\/\*\*|\*\/|^\s*\* ?(?!\/)/gm, ' ')
      .replace(/\{@link (\w+)\}/g, '`$1`')
      .replace(/\s+/g, ' ')
      .trim()
      .split(/(?<=[.!])\s(?=[A-Z@])/)
    return { kind, says }
  }
  for (const [, list = '', from = ''] of text.matchAll(/import \{([^}]*)\} from "(\.[^"]+)"/g)) {
    // `import { outer as inner }` names the outer one first.
    for (const entry of list.split(',')) {
      const [, outer = '', inner = outer] = /^\s*(?:type\s+)?([\w$]+)(?:\s+as\s+([\w$]+))?\s*$/.exec(entry) ?? []
      if (inner !== local) continue
      const other = join(dirname(file), from.replace(/\.js$/, '.d.ts'))
      return declarationOf(other, exportsOf(other).get(outer)?.local ?? outer)
    }
  }
  return undefined
}

const exportsOf = (file: string): Names =>
  new Map([...readFileSync(file, 'utf8').matchAll(/^export \{([^}]*)\};?$/gm)].flatMap(([, list = '']) => [...namesIn(list)]))

/** Everything that a file of built types exports, in alphabetical order. */
export const readExports = (file: string): Export[] =>
  [...exportsOf(file)]
    .map(([name, { local, isType }]) => {
      const { kind, says } = declarationOf(file, local) ?? { kind: 'type' as const, says: '' }
      return { name, kind: isType ? ('type' as const) : kind, says }
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1))

const root = join(import.meta.dirname, '..')

/** The entries with types, by the name under which embedders import them. */
export const typedEntries: Record<string, string> = {
  '@gatehouse/sign-in': 'packages/sign-in/dist/index.d.ts',
  '@gatehouse/sign-in/headless': 'packages/sign-in/dist/headless.d.ts',
  '@gatehouse/sign-in/session': 'packages/sign-in/dist/session.d.ts',
  '@gatehouse/sign-in/element': 'packages/sign-in/dist/element.d.ts',
  '@gatehouse/sign-in/messages': 'packages/sign-in/dist/messages.d.ts',
  '@gatehouse/wire': 'packages/wire/dist/index.d.ts',
  '@gatehouse/conformance': 'packages/conformance/dist/index.d.ts',
  '@gatehouse/mock': 'packages/mock/dist/index.d.ts',
  '@gatehouse/testing': 'packages/testing/dist/index.d.ts',
}

const cell = (text: string) => text.replaceAll('|', '\\|')

/** docs/api.md with the exports as the built types have them. */
export const withExports = (page: string): string =>
  Object.entries(typedEntries).reduce((text, [entry, file]) => {
    const rows = readExports(join(root, file)).map(({ name, kind, says }) => `| \`${name}\` | ${kind} | ${cell(says)} |`)
    const table = ['| export | kind | what it is |', '| --- | --- | --- |', ...rows].join('\n')
    const marker = new RegExp(`(<!-- ${entry} -->\n)[\\s\\S]*?(<!-- /${entry} -->)`)
    return text.replace(marker, (_, start, end) => `${start}\n${table}\n\n${end}`)
  }, page)
