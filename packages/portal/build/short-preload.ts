import type { Plugin } from 'vite'

/**
 * Loads a chunk together with its style sheets. Vite's own helper also preloads scripts and reports errors to the page, which
 * these pages don't need. It would make the first load larger.
 */
export const shortPreload: Plugin = {
  name: 'short-preload',
  apply: 'build',
  enforce: 'pre',
  load: id => (id === '\0vite/preload-helper.js' ? helper : undefined),
}

const helper = `const styles = {}
const fetchStyles = href => styles[href] ??= new Promise((done, failed) => {
  const link = document.createElement('link')
  link.rel = 'stylesheet'
  link.href = href
  link.onload = done
  link.onerror = () => { delete styles[href]; link.remove(); failed(new Error('no ' + href)) }
  document.head.append(link)
})
export const __vitePreload = (load, files = [], from) =>
  Promise.all([load(), ...files.map(file => fetchStyles(new URL(file, from).href))]).then(([part]) => part)`
