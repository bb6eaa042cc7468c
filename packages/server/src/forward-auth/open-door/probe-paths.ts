import { limits } from '../../limits.ts'
import { readingsOf } from '../rules/path-readings.ts'
import { exampleOf, variantsOf } from '../rules/pattern-variants.ts'
import type { PathPattern, Rule } from '../rules/rule.ts'
import { fitsMethod } from '../rules/rule-set.ts'

/** A path that hardly any application has. Where `/` only redirects, the answer here shows whether the proxy asks Gatehouse. */
const unusualPath = '/gatehouse-probe'

/**
 * Returns paths that require a sign-in from every network: at most one for each `to` of a rule, or two for a `to` that covers every path.
 * @param isOwnPage whether an address is a page of Gatehouse, which has no check
 */
export const probePathsOf = (rules: readonly Rule[], origin: string, isOwnPage: (address: string) => boolean): string[] => {
  const entries = rules.flatMap(rule => rule.to.flatMap(target => (target.origin === origin ? [{ rule, path: target.path }] : [])))
  const paths = new Set<string>()
  for (const { rule, path } of entries) {
    if (rule.effect.is === 'Everyone' || !fitsGet(rule)) continue
    const fitting = examplesOf(path).filter(example => !isOwnPage(origin + example) && isGuarded(entries, example))
    for (const example of path === undefined ? fitting : fitting.slice(0, 1)) paths.add(example)
  }
  return [...paths].slice(0, limits.openDoor.pathsMost)
}

const fitsGet = (rule: Rule) => fitsMethod(rule, { method: 'GET', origin: '', uri: '', address: '' })

const examplesOf = (path: PathPattern | undefined): string[] => {
  if (path === undefined) return ['/', unusualPath]
  const variants = variantsOf(path.text)
  if ('problem' in variants) return []
  return variants.map(exampleOf).flatMap(example => (example.startsWith('/') ? [example.replace(/[^!-~]/gu, encodeURIComponent)] : []))
}

/** Whether every visitor is refused at a path, whatever network they come from. */
const isGuarded = (entries: readonly { rule: Rule; path: PathPattern | undefined }[], example: string): boolean => {
  const readings = readingsOf(example)
  if ('unclear' in readings) return false
  for (const { rule, path } of entries) {
    if (!fitsGet(rule) || !(path === undefined || readings.paths.some(path.fits))) continue
    if (rule.effect.is === 'Everyone') return false
    if (rule.from === undefined) return true
  }
  return true
}
