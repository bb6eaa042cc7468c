import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { anchorsOf, linksOf } from './markdown-links.ts'

const root = join(import.meta.dirname, '..')
const skipped = /(^|[\\/])(node_modules|dist|\.tools|\.git|data|test-results)([\\/]|$)/

/** Every Markdown page of the repository, relative to its root. */
const pages = ['.', 'docs', 'packages', 'bench', 'e2e'].flatMap(folder =>
  readdirSync(join(root, folder), { recursive: folder !== '.', encoding: 'utf8' })
    .map(name => join(folder, name))
    .filter(name => name.endsWith('.md') && !skipped.test(name)),
)

const problemOf = (page: string, link: string): string | undefined => {
  const [path = '', anchor] = link.split('#')
  const file = path === '' ? join(root, page) : join(root, dirname(page), decodeURIComponent(path))
  if (relative(root, file).startsWith('..') || !existsSync(file)) return `${page}: ${link} leads to no file`
  if (anchor === undefined) return undefined
  if (statSync(file).isFile() && anchorsOf(file).includes(anchor)) return undefined
  return `${page}: ${link} leads to no heading`
}

test('every relative link in a Markdown page leads to an existing file and heading', () => {
  const links = pages.flatMap(page => linksOf(join(root, page)).map(link => ({ page, link })))
  expect(links.length).toBeGreaterThan(50)
  expect(links.flatMap(({ page, link }) => problemOf(page, link) ?? [])).toEqual([])
})

test('the index of docs links to every page in the folder', () => {
  const linked = linksOf(join(root, 'docs/README.md'))
  const missing = readdirSync(join(root, 'docs')).filter(name => name.endsWith('.md') && name !== 'README.md' && !linked.includes(name))
  expect(missing).toEqual([])
})

test('every path of the repository that a page names exists', () => {
  // Skip paths in `dist`: they exist only after a build.
  const named = pages
    .flatMap(page =>
      [...readFileSync(join(root, page), 'utf8').matchAll(/`((?:packages|docs|e2e|bench|scripts)\/[\w./-]+)`/g)].map(([, path = '']) => ({
        page,
        path,
      })),
    )
    .filter(({ path }) => !path.includes('/dist'))
  expect(named.length).toBeGreaterThan(100)
  expect(named.filter(({ path }) => !existsSync(join(root, path)))).toEqual([])
})

test('every source file that a decision record names without its folder exists', () => {
  const inFolder = (folder: string) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).flatMap(file =>
      file.includes('node_modules') ? [] : `${folder}/${file}`,
    )
  const files = [...readdirSync(root), ...['packages', 'docs', 'e2e', 'bench', 'scripts'].flatMap(inFolder)]
  const named = pages
    .filter(page => page.includes('decisions'))
    .flatMap(page =>
      [...readFileSync(join(root, page), 'utf8').matchAll(/`(\w[\w/-]*(?:\.[\w-]+)*\.(?:ts|tsx|mjs|css))`/g)].map(([, name = '']) => ({
        page,
        name,
      })),
    )
  expect(named.length).toBeGreaterThan(20)
  expect(named.filter(({ name }) => !files.some(file => `/${file}`.endsWith(`/${name}`)))).toEqual([])
})

test.each([
  ['the lockout rule', 'packages/server/src/sign-in/lockout.store.ts'],
  ['how to add a factor type', 'docs/adding-a-factor.md'],
  ['how to add a language', 'docs/translating.md'],
  ['how to change the color', 'docs/branding.md'],
  ['what happens on POST verifyOTP', 'packages/server/src/sign-in/verify-otp.ts'],
])('the README leads to %s in at most two links', (_, answer) => {
  const from = (page: string) =>
    linksOf(join(root, page)).map(link => relative(root, join(root, dirname(page), link.split('#')[0] ?? '')).replaceAll('\\', '/'))
  const first = from('README.md')
  const second = first.filter(page => page.endsWith('.md')).flatMap(from)
  expect([...first, ...second]).toContain(answer)
})
