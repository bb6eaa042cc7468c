import { foldCase } from './letters.ts'
import { readingsOf } from './path-readings.ts'
import { exampleOf, type Variant, variantsOf } from './pattern-variants.ts'
import type { PathPattern, Target } from './rule.ts'

/** What is wrong with a `to`, and in which part of it. */
export type TargetProblem = { problem: string; part: 'Origin' | 'Path' | 'Pattern' }

/** Reads the `to` of a rule: an origin and a path pattern, as a `URLPattern` is written. */
export const readTarget = (text: string): Target | TargetProblem => {
  const [, origin = '', path = ''] = /^(https?:\/\/[^/?#]*)(.*)$/is.exec(text) ?? []
  if (URL.parse(origin)?.origin !== origin || /[*{}()]|\.(:|$)/.test(origin))
    return { problem: `‘${text}’ must begin with an origin like https://grafana.example.com, without wildcards`, part: 'Origin' }
  if (!path.startsWith('/')) return { problem: `‘${text}’ must have a path; write ${origin}/* for every path`, part: 'Path' }
  if (path === '/*') return { origin, path: undefined }
  const pattern = readPath(path)
  return 'problem' in pattern ? { problem: `‘${text}’ ${pattern.problem}`, part: 'Pattern' } : { origin, path: pattern }
}

const readPath = (text: string): PathPattern | { problem: string } => {
  try {
    // With a base, any `?` or `#` that is not pattern syntax begins a query or a fragment.
    const { search, hash } = new URLPattern(text, 'https://example.com')
    if (search !== '*' || hash !== '*' || text.includes('*?'))
      return { problem: 'must not have a query or a fragment: rules decide by the path only' }
    if (text.replaceAll('%25', '').includes('%')) return { problem: 'must be written without percent-encoding; write %25 for a %' }
    const variants = variantsOf(text)
    if ('problem' in variants) return variants
    const unclear = variants.map(whyUnclear).find(why => why !== undefined)
    if (unclear !== undefined) return { problem: `fits no request: ${unclear}` }
    // `ignoreCase` would compare É and é as %C3%89 and %C3%A9, which differ.
    const pattern = new URLPattern({ pathname: foldCase(text) })
    return { text, fits: path => pattern.test({ pathname: path }) }
  } catch {
    return { problem: 'is not a pattern; see https://urlpattern.spec.whatwg.org/#pattern-strings' }
  }
}

/** Why the server refuses every request that a variant of a pattern describes. */
const whyUnclear = (variant: Variant): string | undefined => {
  const example = exampleOf(variant)
  // Without its optional part, /:page? is empty. No request has an empty path.
  if (example === '') return undefined
  const readings = readingsOf(example.replace(/[^!-~]/gu, encodeURIComponent))
  if ('unclear' in readings) return readings.unclear
  return example.includes('//') ? 'the path has a doubled slash' : undefined
}
