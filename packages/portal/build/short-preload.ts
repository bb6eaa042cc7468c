import type { Plugin } from 'vite'

/**
 * Loads a part together with its style sheets. Vite's own helper also loads scripts and reports to the page, which these pages don't
 * need, and it is three times as long: 0.4 kB of the first load.
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
