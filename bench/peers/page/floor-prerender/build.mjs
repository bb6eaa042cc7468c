import { readFileSync, writeFileSync } from 'node:fs'
import { build } from 'vite'

await build({ configFile: false })
await build({ configFile: false, build: { ssr: 'src/rendering.jsx', outDir: 'rendering' } })
const { render } = await import('./rendering/rendering.js')
const page = readFileSync('dist/index.html', 'utf8')
writeFileSync('dist/index.html', page.replace('<!--app-->', render()))
