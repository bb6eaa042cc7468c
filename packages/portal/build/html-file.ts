/** An HTML file that a build makes. Addresses of sources begin with `./` and are relative to the root folder. */
export type HtmlFile = {
  title: string
  viewport?: string
  /** More elements of the head. `urlOf` gives the address of a source. */
  head: (urlOf: (source: string) => string) => readonly string[]
  /** The script. Its imports decide which style sheets the page has. */
  script: string
  /** Whether the built page has style sheets and no script. */
  isScriptless?: boolean
  /** The name of the page, for its styles and its script. */
  page?: string
  body: readonly string[]
}

type Links = {
  urlOf?: (source: string) => string
  /** Elements at the end of the head. */
  inHead?: readonly string[]
  /** Elements at the end of the body. */
  inBody?: readonly string[]
}

const lines = (elements: readonly string[]) => elements.map(element => `    ${element}\n`).join('')

export const writeHtml = (file: HtmlFile, { urlOf = source => source, inHead = [], inBody = [] }: Links) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>${file.title}</title>
    <meta name="viewport" content="${['width=device-width, initial-scale=1', file.viewport].filter(Boolean).join(', ')}">
    <meta name="color-scheme" content="light dark">
${lines([...file.head(urlOf), ...inHead])}  </head>
  <body${file.page === undefined ? '' : ` data-page="${file.page}"`}>
${lines([...file.body, ...inBody])}  </body>
</html>
`

/** The file for Vite, which replaces the addresses of the sources. */
export const writeSourceHtml = (file: HtmlFile) => writeHtml(file, { inHead: [`<script type="module" src="${file.script}"></script>`] })
