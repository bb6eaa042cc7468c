import type { Accent } from '@gatehouse/wire/accent'

/** How the product presents itself on pages and in mail. */
export type Brand = {
  /** Pages, mails, authenticator apps and the installed approver call the product this. */
  name: string
  /** Addresses in the footers of pages and mails. */
  links: BrandLinks
  /** One line above every form. */
  notice: string | undefined
  /** The colors of both themes, derived from the operator's accent. */
  accent: Accent | undefined
}

export type BrandLinks = { help?: string; privacy?: string; imprint?: string }
