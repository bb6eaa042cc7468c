/**
 * Reads a six-digit verification code as an integer (§5); `undefined` when it is none. Pasted spaces and dashes are
 * taken out first, so `' 012 345 '` is 12345.
 */
export const parseVerificationCode = (text: string): number | undefined => {
  const digits = text.replace(/[\s-]/g, '')
  return /^[0-9]{6}$/.test(digits) ? Number.parseInt(digits, 10) : undefined
}
