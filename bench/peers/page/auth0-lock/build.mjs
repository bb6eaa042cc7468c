import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { build } from 'vite'

await build({ configFile: false })
// By default, the widget loads its English texts from the vendor's host. Serve them with the page.
const { version } = JSON.parse(readFileSync('node_modules/auth0-lock/package.json', 'utf8'))
const english = createRequire(import.meta.url)('./node_modules/auth0-lock/lib/i18n/en.js').default
mkdirSync(`dist/js/lock/${version}`, { recursive: true })
writeFileSync(`dist/js/lock/${version}/en.js`, `Auth0.registerLanguageDictionary("en",${JSON.stringify(english)});`)
