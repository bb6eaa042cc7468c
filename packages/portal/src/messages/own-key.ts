/** Whether an object of texts has one for a key, such as a code of the server. */
export const isOwnKey = <Texts extends object>(texts: Texts, key: PropertyKey | undefined): key is keyof Texts =>
  key !== undefined && Object.hasOwn(texts, key)
