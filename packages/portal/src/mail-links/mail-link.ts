import type { MailLinkRequest } from '@gatehouse/wire'

/** Selector and token are base64url with at most 128 characters each, the wire's limit. */
const form = /^#([\w-]{1,128})\.([\w-]{1,128})$/

/**
 * Selector and token of a mailed link. They are in the fragment, which no server, proxy or log sees.
 * @param hash `location.hash`, with its `#`
 * @returns `undefined` for anything that the server does not write
 */
export const readMailLink = (hash: string): MailLinkRequest | undefined => {
  const [, selector, token] = form.exec(hash) ?? []
  return selector && token ? { selector, token } : undefined
}
