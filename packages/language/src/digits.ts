const isDigit = (codePoint: number) => /\p{Nd}/u.test(String.fromCodePoint(codePoint))

/** Unicode assigns digits in unbroken runs from zero to nine. */
const numberOf = (digit: string) => {
  const codePoint = digit.codePointAt(0) ?? 0
  let zero = codePoint
  while (isDigit(zero - 1)) zero -= 1
  return (codePoint - zero) % 10
}

/** Replaces other digits, such as Arabic (`٠١٢`), Devanagari (`०१२`) or full-width ones (`０１２`), with the ASCII digits of codes: `012`. */
export const asciiDigits = (text: string): string => text.replace(/(?![0-9])\p{Nd}/gu, digit => String(numberOf(digit)))
