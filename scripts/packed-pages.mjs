// The pages that a package contains: its README, and what the README tells its readers to look up. They have no clone of Gatehouse.
import { existsSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { root } from './steps.mjs'

const { dirname, join, normalize, relative } = posix

/** The files that each package contains besides its README and its build, as paths of the repository. */
const filesOf = {
  'sign-in': [
    'docs/appearance.md',
    'docs/embedding.md',
    'docs/frameworks.md',
    'docs/passkeys.md',
    'examples/headless/index.html',
    'examples/headless/sign-in.js',
  ],
  wire: [],
  conformance: ['docs/wire.md'],
  mock: ['docs/wire.md'],
  testing: ['docs/testing-your-app.md'],
}

const note = 'Paths in parentheses are files of Gatehouse’s repository.\n'

/**
 * Makes the links of a page fit the package. A link to a file that the package does not contain becomes a text with the file's path.
 * @param from the page's path in the repository
 * @param placed the path in the package of each file that the package contains, by its path in the repository
 */
const withPackedLinks = (text, from, placed) => {
  let isNamed = false
  // The first two alternatives match code, where brackets mean something else.
  const next = text.replace(/^(```|~~~)[\s\S]*?^\1|`[^`\n]*`|(!?)\[([^\]]+)\]\(([^)\s]+)\)/gm, (all, _, picture, words, link) => {
    if (link === undefined || /^([a-z][a-z+.-]*:|#)/i.test(link)) return all
    const [path, anchor] = link.split('#')
    const target = normalize(join(dirname(from), path))
    if (!existsSync(join(root, target))) throw new Error(`${from}: ${link} leads to no file`)
    const at = placed.get(target)
    if (at !== undefined)
      return `${picture}[${words}](${relative(dirname(placed.get(from)), at)}${anchor === undefined ? '' : `#${anchor}`})`
    isNamed = true
    return `${words} (\`${target}\`)`
  })
  return isNamed ? `${next.trimEnd()}\n\n${note}` : next
}

/** The pages and examples of a package, by their path in it. */
export const packedPages = name => {
  const readme = `packages/${name}/README.md`
  const placed = new Map([[readme, 'README.md'], ...filesOf[name].map(file => [file, file])])
  return new Map(
    [...placed].map(([file, at]) => {
      const text = readFileSync(join(root, file), 'utf8')
      return [at, file.endsWith('.md') ? withPackedLinks(text, file, placed) : text]
    }),
  )
}
