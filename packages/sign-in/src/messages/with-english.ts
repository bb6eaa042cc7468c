/** T with every part optional, at every depth. */
export type DeepPartial<T> = T extends (...args: never) => unknown
  ? T
  : T extends object
    ? { [Key in keyof T]?: DeepPartial<T[Key]> | undefined }
    : T

/**
 * The English catalog with a host's own words in their places. What the host leaves out stays English, and so does a value of
 * another kind than the English one: a catalog that came as JSON has no functions.
 */
export const withEnglish = <T extends object>(english: T, own: DeepPartial<NoInfer<T>> | undefined): T => {
  if (!own) return english
  const given: { [key: string]: unknown } = { ...own }
  const words = Object.entries(english).map(([key, from]) => {
    const value = given[key]
    if (typeof value !== typeof from || value === null) return [key, from]
    return [key, typeof from === 'object' ? withEnglish(from, value ?? undefined) : value]
  })
  return Object.fromEntries(words)
}
