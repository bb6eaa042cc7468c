import type { Plugin } from 'vite'

/** Components of the widget and of packages/ui. */
const component = /[\\/]packages[\\/](?:ui|sign-in)[\\/]src[\\/].+\.tsx$/

/** Attributes that name parts for host styles. Each is on one line. */
const partAttribute = / *\bdata-(?:part|provider)=(?:"[^"]*"|\{[^{}\n]*\})/g

/**
 * Our own pages have no host page that styles their parts. The names would add a few hundred bytes to the first load.
 */
export const withoutParts: Plugin = {
  name: 'gatehouse-without-parts',
  enforce: 'pre',
  transform: { filter: { id: component }, handler: code => ({ code: code.replace(partAttribute, ''), map: null }) },
}
