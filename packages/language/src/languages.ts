/** A language as its translation's file describes it under `language`. */
export type Language = {
  /** BCP 47, such as `pt-BR`. It is also the name of the file. */
  tag: string
  /** The language's name in the language itself, such as `Deutsch`. */
  name: string
}

export const english: Language = { tag: 'en', name: 'English' }

const scriptOf = (tag: string) => {
  try {
    const { language, script } = new Intl.Locale(tag).maximize()
    return `${language}-${script}`
  } catch {
    return undefined
  }
}

const mostRanges = 20

/**
 * The best language for a request: the first in the browser's list, by weight, that is available.
 * Regions do not matter, but the script does: a reader of traditional Chinese gets English, not
 * simplified Chinese. Attack: a header with hundreds of ranges, each of which costs a lookup. Only
 * the first ranges count, which is still more than any browser sends.
 * @param accepted the header `Accept-Language` (RFC 9110 §12.5.4)
 * @returns undefined if none fits
 */
export const bestLanguage = (accepted: string | undefined, tags: readonly string[]): string | undefined => {
  const wanted = (accepted ?? '')
    .slice(0, 1000)
    .split(',', mostRanges)
    .map((range, order) => {
      const [tag = '', ...parameters] = range.trim().split(/\s*;\s*/)
      const weight = parameters.map(parameter => /^q=([01](?:\.\d{0,3})?)$/i.exec(parameter)?.[1]).find(Boolean)
      return { tag, weight: weight === undefined ? 1 : Number(weight), order }
    })
    .filter(({ tag, weight }) => weight > 0 && /^[a-z]{2,3}(-[a-z\d]{1,8})*$/i.test(tag))
    .sort((a, b) => b.weight - a.weight || a.order - b.order)
  let scripts: readonly (string | undefined)[] | undefined
  for (const { tag } of wanted) {
    const exact = tags.find(one => one.toLowerCase() === tag.toLowerCase())
    if (exact) return exact
    scripts ??= tags.map(scriptOf)
    const script = scriptOf(tag)
    const found = script && tags[scripts.indexOf(script)]
    if (found) return found
  }
  return undefined
}
