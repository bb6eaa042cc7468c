import { readFileSync } from 'node:fs'

/** A page without its code blocks, where brackets and hashes mean something else. */
const textOf = (file: string) => readFileSync(file, 'utf8').replace(/^(```|~~~)[\s\S]*?^\1/gm, '')

/** The anchors of a page's headings, as GitHub makes them. */
export const anchorsOf = (file: string) => {
  const seen = new Map<string, number>()
  return [...textOf(file).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => {
    const text = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase()
    const anchor = text.replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '').replace(/ /g, '-')
    const before = seen.get(anchor) ?? 0
    seen.set(anchor, before + 1)
    return before === 0 ? anchor : `${anchor}-${before}`
  })
}

/** The relative links and images of a page, except those in code. */
export const linksOf = (file: string) =>
  [
    ...textOf(file)
      .replace(/`[^`\n]*`/g, '')
      .matchAll(/\]\(<?([^)\s>]+)>?[^)]*\)/g),
  ]
    .map(([, target = '']) => target)
    .filter(target => !/^[a-z][a-z+.-]*:/i.test(target))
