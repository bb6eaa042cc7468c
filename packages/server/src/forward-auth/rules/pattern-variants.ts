import { limits } from '../../limits.ts'

/** `Segment` matches characters up to the next slash. `All` matches slashes as well. */
type Part = { is: 'Text'; text: string } | { is: 'Segment' } | { is: 'All' }

/** A pattern with one choice made for each optional part and each list of words. */
export type Variant = readonly Part[]

/**
 * Reads a pattern that `URLPattern` accepts. Refuses patterns that make its regular expression slow. Attack: /:a-:b-:c tries every way to
 * divide a long path of dashes, which stops the server for seconds.
 */
export const variantsOf = (pattern: string): readonly Variant[] | { problem: string } => {
  if (pattern.length > limits.rules.patternMost) return { problem: `has more than ${limits.rules.patternMost} characters` }
  let variants: Variant[] = [[]]
  /** The variants of the open braces so far. Undefined outside braces. */
  let inBraces: Variant[] | undefined
  const append = (choices: readonly Variant[]) => {
    const next = (inBraces ?? variants).flatMap(begun => choices.map(choice => [...begun, ...choice]))
    if (inBraces) inBraces = next
    else variants = next
  }
  for (const { 0: token, groups = {} } of pattern.matchAll(tokens)) {
    const { name, words, star, braces, modifier, slash, sign } = groups
    if (words !== undefined && !/^(?:[\w~-]|\\\.)+(?:\|(?:[\w~-]|\\\.)+)*$/.test(words))
      return { problem: 'must have only words in parentheses, such as (quit|reload): long paths make other regular expressions slow' }
    if (modifier === '*' || modifier === '+') return { problem: 'must not repeat a part with * or +, because long paths make that slow' }
    const isOptional = modifier === '?'
    if (token === '{') inBraces = [[]]
    else if (braces !== undefined) {
      const choices: Variant[] = inBraces ?? []
      inBraces = undefined
      append(isOptional ? [...choices, []] : choices)
    } else if (sign !== undefined) append([[{ is: 'Text', text: sign.replace(/^\\/s, '') }]])
    else {
      const fitting: Variant[] =
        words !== undefined
          ? words.split('|').map(word => [{ is: 'Text', text: word.replaceAll('\\', '') }])
          : [[star === undefined && name !== undefined ? { is: 'Segment' } : { is: 'All' }]]
      const before: Variant = slash ? [{ is: 'Text', text: '/' }] : []
      const choices = fitting.map(one => [...before, ...one])
      append(isOptional ? [...choices, []] : choices)
    }
    if (variants.length * (inBraces?.length ?? 1) > limits.rules.variantsMost)
      return { problem: `has more than ${limits.rules.variantsMost} variants by its optional parts and words; divide it` }
  }
  const problem = variants.map(whySlow).find(why => why !== undefined)
  return problem === undefined ? variants : { problem }
}

/** The parts of a pattern, each with its modifier. A slash before a group is part of the group. */
const tokens =
  /(?<slash>\/)?(?::(?<name>[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*)(?:\((?<words>(?:\\.|[^\\)])*)\))?|\((?<words>(?:\\.|[^\\)])*)\)|(?<star>\*))(?<modifier>[?+*])?|\{|(?<braces>\})(?<modifier>[?+*])?|(?<sign>\\.|.)/gsu

/**
 * Returns why a variant would be slow. A regular expression matches all other variants in one pass,
 * or in one pass for each character of the pattern.
 */
const whySlow = (variant: Variant): string | undefined => {
  const isAll = ({ is }: Part) => is === 'All'
  if (variant.slice(0, -1).filter(isAll).length > 1)
    return 'may have one * besides one at its end, because long paths make more of them slow'
  let unbounded = 0
  for (const part of variant) {
    if (part.is !== 'Text') unbounded += 1
    else if (part.text === '/') unbounded = 0
    if (unbounded > 1) return 'must not have two of * and :name in one segment, because long paths make that slow'
  }
  return undefined
}

/** A path that a variant matches. */
export const exampleOf = (variant: Variant): string => variant.map(part => (part.is === 'Text' ? part.text : 'x')).join('')
