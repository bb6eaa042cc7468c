import type { Rules } from './glossary.ts'

/** What is wrong with a text, and how the translator can fix it. */
export type Finding = { problem: string; advice: string }

/** Names that no language translates. */
const names =
  /\b(Google Authenticator|Google|Microsoft|Pak[ \u00a0]Platform|Gatehouse|Authy|ntfy|Gotify|QR|PIN|HTTPS?|GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|JSON|CSV|URL|SMTP|[\w.-]+\.txt)\b/g

const allQuotes = /["'‘’‚‛“”„‟«»‹›「」『』]/gu
const bidi = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u
const control = /[\p{Cc}\u200b\u2060\ufeff]/u
// A period or comma after an address is not part of the address.
const linkOrAddress = /\b(?:https?:\/\/|www\.)\S*[\w/*]|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|\b[\w-]+\.(?:com|org|net|io|dev|app|info|ru|cn)\b/giu
const narrowSpace = '\u202f'

/** @param words the text without its placeholders and syntax */
export const wordingFindings = (words: string, english: string, rules: Rules): Finding[] => [
  ...characterFindings(words, english),
  ...typographyFindings(words, rules),
]

const characterFindings = (words: string, english: string): Finding[] => {
  const found: Finding[] = []
  if (bidi.test(words))
    found.push({ problem: 'It contains an invisible mark of direction.', advice: 'Delete it. Pages set the direction.' })
  if (control.test(words.replaceAll('\n', english.includes('\n') ? '' : '\n')))
    found.push({ problem: 'It contains a control character, a line break or an invisible space.', advice: 'Delete it.' })
  if (/<\/?[a-z!]|&#?\w+;/i.test(words)) found.push({ problem: 'It contains HTML.', advice: 'Write plain text. Pages show tags as text.' })
  const allowed = new Set(english.match(linkOrAddress) ?? [])
  for (const link of words.match(linkOrAddress) ?? [])
    if (!allowed.has(link) && !/@example\.(com|org)$/.test(link))
      found.push({ problem: `English has no link or address ‘${link}’.`, advice: 'Delete it, or copy the one of the English text.' })
  if (/^\s|\s$/u.test(words) && !/^\s|\s$/u.test(english))
    found.push({ problem: 'It begins or ends with a blank.', advice: 'Delete the blank.' })
  if (/[ \u00a0]{2}/u.test(words)) found.push({ problem: 'It contains two blanks in a row.', advice: 'Delete one of them.' })
  if (words !== words.normalize('NFC'))
    found.push({ problem: 'A letter and its accent are two characters.', advice: 'Type the accented letter as one character (NFC).' })
  const mixed = /(?=\p{L}*\p{Script=Latin})(?=\p{L}*\p{Script=Cyrillic})\p{L}+/u.exec(words)
  if (mixed) found.push({ problem: `‘${mixed[0]}’ mixes Latin and Cyrillic letters.`, advice: 'Type the word again on one keyboard.' })
  return found
}

const typographyFindings = (words: string, rules: Rules): Finding[] => {
  const found: Finding[] = []
  if (words.includes('...')) found.push({ problem: 'It has three dots.', advice: 'Write one character: …' })
  const { quotes, spaced } = rules
  if (quotes !== undefined) {
    const foreign = new Set(words.match(allQuotes)?.filter(quote => !quotes.includes(quote)))
    for (const quote of foreign)
      found.push({ problem: `The language does not use the quotation mark or apostrophe ${quote}`, advice: `Use one of: ${quotes}` })
  }
  if (spaced !== undefined)
    for (const [at, mark] of [...words.replace(linkOrAddress, 'x')].map((letter, index, all) => [all[index - 1], letter] as const))
      if (
        (spaced.includes(mark) && at !== narrowSpace && at !== undefined && !spaced.includes(at) && !/\d/.test(at)) ||
        (at === '«' && mark !== narrowSpace)
      )
        found.push({
          problem: `The space between ‘${at}’ and ‘${mark}’ is missing, or too wide.`,
          advice: 'Put a narrow no-break space (U+202F) there.',
        })
  for (const [western, own] of rules.instead) {
    const letterBefore = new RegExp(`[\\p{Script=Arabic}\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}][${western}]`, 'u')
    if (letterBefore.test(words)) found.push({ problem: `It has the western mark ${western}`, advice: `Write ${own}` })
  }
  for (const [open = '', close = ''] of rules.paired)
    if (words.split(open).length !== words.split(close).length)
      found.push({ problem: `${open} and ${close} do not come in pairs.`, advice: `Begin with ${open} and end with ${close}` })
  return found
}

/**
 * Finds marks at the edge of Latin text in a right-to-left language. They take the direction of the language (UAX #9, N1 and
 * N2), so browsers show `/auth` as `auth/`.
 */
export const movingMarkFindings = (words: string): Finding[] => {
  const edge = /(?<=^|[\s«“(])[/_@#+~-]+(?=[A-Za-z{])|(?<=[A-Za-z0-9}])[/_@#+~-]+(?=$|[\s.،؛؟»”)])/u.exec(words)
  if (!edge) return []
  return [
    { problem: `The mark ${edge[0]} moves to the other side of the Latin text.`, advice: 'Leave the mark out, or name it in a word.' },
  ]
}

/** Whether a text was left in English. A text of names, numbers and placeholders, or one that the glossary lists, may equal English. */
export const isLeftInEnglish = (translation: string, english: string, words: string, rules: Rules) =>
  translation === english && !rules.same.has(english) && /\p{L}/u.test(words.replace(/\{\w+\}/g, '').replace(names, ''))
