import { copyFileSync, mkdirSync, readdirSync } from 'node:fs'

// The vendor's browser files, unchanged.
const copy = (name, to, wanted) => {
  const from = `node_modules/@clerk/${name}/dist`
  mkdirSync(`dist/${to}`, { recursive: true })
  for (const file of readdirSync(from)) if (wanted.test(file)) copyFileSync(`${from}/${file}`, `dist/${to}/${file}`)
}
copy('clerk-js', 'clerk', /^(?:.*_clerk\.browser_.*|clerk\.browser\.js)$/)
copy('ui', 'ui', /\.js$/)
copyFileSync('index.html', 'dist/index.html')
