/** §5: a UUID string has at most 36 characters, with dashes at positions 8, 13, 18 and 23. */
export const isUUID = (text: string) => text.length <= 36 && [8, 13, 18, 23].every(position => text[position] === '-')

/**
 * §5: one or more comma-separated addresses, each text, an at sign, then more text, without whitespace, commas or
 * further at signs; spaces around the addresses are allowed. Reads every character at most twice, so any input takes linear time.
 */
export const isEmailList = (text: string) => {
  if (/[^\S ]/.test(text)) return false
  let at: 'start' | 'name' | 'at sign' | 'host' | 'after' = 'start'
  for (let i = 0; i < text.length; i++) {
    const next = text.charCodeAt(i)
    if (next === space) {
      if (at === 'host') at = 'after'
      else if (at !== 'start' && at !== 'after') return false
    } else if (next === comma) {
      if (at !== 'host' && at !== 'after') return false
      at = 'start'
    } else if (next === atSign) {
      if (at !== 'name') return false
      at = 'at sign'
    } else if (at === 'start') at = 'name'
    else if (at === 'at sign') at = 'host'
    else if (at === 'after') return false
  }
  return at === 'host' || at === 'after'
}

const space = 0x20
const comma = 0x2c
const atSign = 0x40

/** Whether every character is ASCII (U+0000 to U+007F). */
export const isASCII = (text: string) => {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x7f) return false
  return true
}

/** Length in bytes of the text as UTF-8; a lone surrogate counts as the three bytes of U+FFFD. */
export const utf8ByteLength = (text: string) => {
  let bytes = 0
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4
  }
  return bytes
}

/** Whether `text` contains `part`, ignoring case. */
export const includesIgnoringCase = (text: string, part: string) => text.toLowerCase().includes(part.toLowerCase())

/** A memory size in megabytes for display: `512 MB`, and from 1000 in gigabytes with one decimal, `1.5 GB` (§5). */
export const formatMemorySize = (megabytes: number) => (megabytes < 1000 ? `${megabytes} MB` : `${(megabytes / 1000).toFixed(1)} GB`)
