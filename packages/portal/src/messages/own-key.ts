/** Whether an object of texts has a text for a key, such as an error code from the server. */
export const isOwnKey = <Texts extends object>(texts: Texts, key: PropertyKey | undefined): key is keyof Texts =>
  key !== undefined && Object.hasOwn(texts, key)
