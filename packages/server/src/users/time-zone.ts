/** Returns true for an IANA time zone that `Intl` supports. */
export const isTimeZone = (label: string): boolean => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: label })
    return !/^[+-]/.test(label)
  } catch {
    return false
  }
}
