/**
 * Ignores case, so that /ADMIN does not evade a rule on /admin, nor /CAFÉ one on /café. Composes (NFC), so that it does not matter whether
 * é is one character or two. Folds each character alone: in a whole word, JavaScript makes the last Σ another letter.
 */
export const foldCase = (text: string): string =>
  isAscii(text)
    ? text.toLowerCase()
    : [...text.normalize('NFC')]
        .map(letter => letter.toUpperCase().toLowerCase())
        .join('')
        .normalize('NFC')

/** Why some programs may drop or replace characters of a text. */
export const whyUnclearLetters = (text: string): string | undefined => {
  if (isAscii(text)) return undefined
  // Some programs drop invisible characters before they compare: U+200B, U+00AD, U+FEFF.
  if (/\p{Default_Ignorable_Code_Point}/u.test(text)) return 'an invisible character'
  if (/(?! )\p{White_Space}/u.test(text)) return 'a space that is not the ASCII one'
  if (slashLikes.test(text)) return 'a character that looks like a slash'
  // Check the composed text as well: I and U+0307 become U+0130.
  const letters = new Set([...text, ...text.normalize('NFC')])
  return [...letters].some(standsForAscii) ? 'a character that stands for an ASCII one' : undefined
}

const isAscii = (text: string) => /^[\0-\x7f]*$/.test(text)

/**
 * Slashes and backslashes that NFKC keeps. Windows turns U+2044, U+2215 and U+2216 into ASCII ones in many code pages, and U+00A5 and
 * U+20A9 in the Japanese and Korean ones.
 */
const slashLikes = /[\u00a5\u1735\u20a9\u2044\u2215\u2216\u244a\u2571\u2572\u27cb\u27cd\u29f5\u29f8\u29f9\u31d3\u31d4]|\u0337|\u0338/u

/** Case mappings and compatibility forms turn U+212A into k, U+FF0F into a slash, U+0130 into i, and ß into SS. */
const standsForAscii = (letter: string): boolean => {
  if (isAscii(letter)) return false
  const [lower, upper] = [letter.toLowerCase(), letter.toUpperCase()]
  const forms = [letter, lower, upper, lower.toUpperCase(), upper.toLowerCase()]
  return forms.some(form => hasAscii(form) || hasAscii(form.normalize('NFKC')) || isCompatibleWithAscii(form))
}

/** Does not include é, although its canonical form (NFD) begins with e. */
const isCompatibleWithAscii = (text: string): boolean => {
  const compatible = text.normalize('NFKD')
  return compatible !== text.normalize('NFD') && hasAscii(compatible)
}

const hasAscii = (text: string) => /[ -~]/.test(text)
