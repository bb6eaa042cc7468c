/** The fragment of an enrollment link: selector and token in base64url, each with at most 128 characters. */
export type EnrolmentLink = { selector: string; token: string }

const form = /^#enrol=([\w-]{1,128})\.([\w-]{1,128})$/

/** Reads the fragment of the address, with its `#`. @returns `undefined` for anything that the server does not write */
export const readEnrolmentFragment = (hash: string): EnrolmentLink | undefined => {
  const [, selector, token] = form.exec(hash) ?? []
  return selector && token ? { selector, token } : undefined
}

/** Reads a pasted link. A link of another server is refused, because the key would be created for this server. */
export const readEnrolmentLink = (text: string, origin: string): EnrolmentLink | undefined => {
  const url = URL.parse(text.trim())
  return url && url.origin === origin ? readEnrolmentFragment(url.hash) : undefined
}
