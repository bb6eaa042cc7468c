/** What an enrolment link carries in its fragment: selector and token, base64url, each at most as long as the wire takes. */
export type EnrolmentLink = { selector: string; token: string }

const form = /^#enrol=([\w-]{1,128})\.([\w-]{1,128})$/

/** Reads the fragment of the address, `#` included; `undefined` for whatever our server has never written. */
export const readEnrolmentFragment = (hash: string): EnrolmentLink | undefined => {
  const [, selector, token] = form.exec(hash) ?? []
  return selector && token ? { selector, token } : undefined
}

/** Reads a whole link that was pasted. One of another server is none: the key would be made for this one. */
export const readEnrolmentLink = (text: string, origin: string): EnrolmentLink | undefined => {
  const url = URL.parse(text.trim())
  return url && url.origin === origin ? readEnrolmentFragment(url.hash) : undefined
}
