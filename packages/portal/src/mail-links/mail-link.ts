import type { MailLinkRequest } from '@gatehouse/wire'

/** Selector and token are base64url, each at most as long as the wire takes (128). */
const form = /^#([\w-]{1,128})\.([\w-]{1,128})$/

/**
 * The two halves that a mailed link carries in its fragment, where no server, proxy or log sees them.
 * @param hash as `location.hash` gives it, `#` included
 * @returns `undefined` for whatever our server has never written
 */
export const readMailLink = (hash: string): MailLinkRequest | undefined => {
  const [, selector, token] = form.exec(hash) ?? []
  return selector && token ? { selector, token } : undefined
}
