/** T with every part optional, at every depth. */
export type DeepPartial<T> = T extends (...args: never) => unknown
  ? T
  : T extends object
    ? { [Key in keyof T]?: DeepPartial<T[Key]> | undefined }
    : T

/**
 * The English texts, some of them replaced by the host page's. A text that is missing or has another type stays English: texts from JSON
 * cannot contain functions.
 */
export const withEnglish = <T extends object>(english: T, own: DeepPartial<NoInfer<T>> | undefined): T => {
  if (!own) return english
  const given: { [key: string]: unknown } = { ...own }
  const texts = Object.entries(english).map(([key, from]) => {
    const value = given[key]
    if (typeof value !== typeof from || value === null) return [key, from]
    return [key, typeof from === 'object' ? withEnglish(from, value ?? undefined) : value]
  })
  return Object.fromEntries(texts)
}
