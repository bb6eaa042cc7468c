import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type ESTree, parseSync } from 'vite'
import type { CatalogModule } from '../text-modules.ts'

/** A part of a catalog's type, and the comments of the module that has it. */
type Place = { type: ESTree.TSType; module: Module }
type Module = { source: string; comments: readonly { value: string; end: number }[] }

/**
 * The doc comments of a catalog's type: what its author tells translators.
 * @returns a function that finds the comment of a group or a text by its path in the catalog, without the part's name
 */
export const docComments = ({ file, name }: CatalogModule): ((path: readonly string[]) => string | undefined) => {
  const folder = dirname(file)
  const types = new Map<string, Place>()
  let root: Place | undefined
  for (const one of readdirSync(folder).filter(one => one.endsWith('.ts') && !one.endsWith('.test.ts'))) {
    const source = readFileSync(join(folder, one), 'utf8')
    const { program, comments } = parseSync(one, source)
    const module = { source, comments }
    for (const statement of program.body) {
      const declaration = 'declaration' in statement ? statement.declaration : statement
      if (declaration?.type === 'TSTypeAliasDeclaration') types.set(declaration.id.name, { type: declaration.typeAnnotation, module })
      if (declaration?.type === 'VariableDeclaration' && join(folder, one) === file)
        for (const { id } of declaration.declarations)
          if (id.type === 'Identifier' && id.name === name && id.typeAnnotation) root = { type: id.typeAnnotation.typeAnnotation, module }
    }
  }

  /** Finds a member of a type and its comment. Keys of a record have no comments. */
  const member = (place: Place, key: string): { place: Place | undefined; comment: string | undefined } | undefined => {
    const { type, module } = place
    if (type.type === 'TSTypeLiteral') {
      for (const one of type.members)
        if (one.type === 'TSPropertySignature' && keyOf(one.key) === key) {
          const inner = one.typeAnnotation?.typeAnnotation
          return { place: inner && { type: inner, module }, comment: commentBefore(one.start, module) }
        }
      return undefined
    }
    if (type.type === 'TSIntersectionType') return type.types.map(part => member({ type: part, module }, key)).find(Boolean)
    if (type.type === 'TSArrayType') return { place: { type: type.elementType, module }, comment: undefined }
    if (type.type === 'TSIndexedAccessType' && type.indexType.type === 'TSLiteralType') {
      const { literal } = type.indexType
      const inner = 'value' in literal ? member({ type: type.objectType, module }, String(literal.value)) : undefined
      return inner?.place && member(inner.place, key)
    }
    if (type.type === 'TSTypeReference' && type.typeName.type === 'Identifier') {
      const alias = types.get(type.typeName.name)
      if (alias) return member(alias, key)
      const last = type.typeArguments?.params.at(-1)
      return type.typeName.name === 'Record' && last
        ? { place: { type: last, module }, comment: undefined }
        : last && member({ type: last, module }, key)
    }
    return undefined
  }

  return path => {
    let at = root
    let comment: string | undefined
    for (const key of path) {
      const found = at && member(at, key)
      at = found?.place
      comment = found?.comment
    }
    return comment
  }
}

const keyOf = (key: ESTree.PropertyKey) => (key.type === 'Identifier' ? key.name : key.type === 'Literal' ? String(key.value) : undefined)

const commentBefore = (start: number, { source, comments }: Module) => {
  const comment = comments.findLast(({ end }) => end <= start)
  if (!comment?.value.startsWith('*') || source.slice(comment.end, start).trim() !== '') return undefined
  return comment.value
    .replace(/^\*|\n\s*\*/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}
