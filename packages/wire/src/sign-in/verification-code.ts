/**
 * Parses a six-digit verification code to an integer (§5); `undefined` if it is not one. Pasted spaces and dashes are
 * ignored, so `' 012 345 '` is 12345.
 */
export const parseVerificationCode = (text: string): number | undefined => {
  const digits = text.replace(/[\s-]/g, '')
  return /^[0-9]{6}$/.test(digits) ? Number.parseInt(digits, 10) : undefined
}
