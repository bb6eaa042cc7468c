/** Letters that take two columns in a fixed-width font. Text with them may also break where it has no space. */
const wide = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\u3000-\u30ff\uff01-\uff60]/u

const widthOf = (text: string) => [...text].reduce((width, letter) => width + (wide.test(letter) ? 2 : 1), 0)

/** Chinese and Japanese have no spaces, so their lines break between words that a dictionary finds, and not before a punctuation mark. */
const piecesOf = (text: string, tag: string): string[] => {
  const pieces: string[] = []
  for (const word of text.split(/(?<= )/)) {
    if (!wide.test(word)) pieces.push(word)
    else
      for (const { segment, isWordLike } of new Intl.Segmenter(tag, { granularity: 'word' }).segment(word)) {
        const last = pieces.at(-1)
        const staysWith = last !== undefined && !last.endsWith(' ') && (!isWordLike || /\p{Ps}$|\p{Pi}$/u.test(last))
        if (staysWith && !/^[\p{Ps}\p{Pi}]/u.test(segment)) pieces.splice(-1, 1, last + segment)
        else pieces.push(segment)
      }
  }
  return pieces
}

/** Wraps at 76 columns, between words. */
export const wrapLines = (text: string, tag: string): string => {
  const lines: string[] = []
  let line = ''
  for (const piece of piecesOf(text, tag)) {
    if (line && widthOf(line) + widthOf(piece.trimEnd()) > 76) {
      lines.push(line.trimEnd())
      line = ''
    }
    line += piece
  }
  return [...lines, line.trimEnd()].join('\n')
}
