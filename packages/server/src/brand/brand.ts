import type { Accent } from '@gatehouse/wire/accent'

/** How the product presents itself on pages and in mail. */
export type Brand = {
  /** The name of the product in pages, mails, authenticator apps and the installed approver. */
  name: string
  /** Addresses in the footers of pages and mails. */
  links: BrandLinks
  /** One line of text above the content of every page. */
  notice: string | undefined
  /** The colors of both themes, derived from the operator's accent. */
  accent: Accent | undefined
  files: BrandFiles
}

export type BrandLinks = { help?: string; privacy?: string; imprint?: string }

/** A checked file of the brand. */
export type BrandFile = { name: string; type: string; bytes: Buffer }

/** A picture and its size: an SVG in its own units, a PNG in pixels. */
export type Picture = BrandFile & { width: number; height: number }

export type BrandFiles = {
  logo?: Picture
  /** Replaces the logo in the dark theme. */
  logoDark?: Picture
  favicon?: Picture
  /** A square PNG for home screens. */
  icon?: Picture
  background?: BrandFile
  styles?: BrandStyles
}

/** The operator's style sheet. In `text`, each file that it loads has a placeholder. */
type BrandStyles = { text: string; loads: { placeholder: string; file: BrandFile }[] }
