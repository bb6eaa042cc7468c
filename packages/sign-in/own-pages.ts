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

/**
 * Our own pages get the texts of the first load from the server, in the page's language. Without this, the bundler would keep the English
 * ones in the first script, because later chunks need them.
 */
export const withoutEnglish: Plugin = {
  name: 'gatehouse-without-english',
  enforce: 'pre',
  resolveId: (id, importer) =>
    id.endsWith('/en-first-load.ts') && /[\\/]src[\\/]sign-in\.tsx$/.test(importer ?? '') ? '\0gatehouse-without-english' : undefined,
  load: id => (id === '\0gatehouse-without-english' ? 'export const englishFirstLoad = {}' : undefined),
}
