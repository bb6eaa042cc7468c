import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const pages = ['frameworks.md', 'testing-your-app.md'].map(name => readFileSync(join(root, 'docs', name), 'utf8'))

/** A link to a file of an example, and the code below it. */
const recipes = [...pages.join('\n').matchAll(/^\[`[^`]+`\]\(\.\.\/(examples\/[^)]+)\)\n\n```\w+\n([\s\S]*?)\n```$/gm)].map(
  ([, file = '', code]) => ({
    file,
    code,
  }),
)

test('the code of every recipe matches its example file', () => {
  expect(recipes.length).toBeGreaterThan(8)
  for (const { file, code } of recipes) expect(code, file).toBe(readFileSync(join(root, file), 'utf8').trimEnd())
})

test('the headless example has fewer than 120 lines, and the README states how many', () => {
  const lines = readFileSync(join(root, 'examples/headless/sign-in.js'), 'utf8').trimEnd().split('\n').length
  expect(lines).toBeLessThan(120)
  expect(readFileSync(join(root, 'packages/sign-in/README.md'), 'utf8')).toContain(`is such a page in ${lines} lines`)
})

/** The contents of the files with this name in all examples except the headless one. */
const contents = (name: string) =>
  readdirSync(join(root, 'examples'), { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith(name) && !file.includes('node_modules') && !file.startsWith('headless'))
    .map(file => readFileSync(join(root, 'examples', file), 'utf8'))

test('the examples share one style sheet, and name exact versions', () => {
  expect(new Set(contents('look.css')).size).toBe(1)
  const versions = contents('package.json').flatMap(text => {
    const { dependencies, devDependencies } = JSON.parse(text)
    return Object.values<string>({ ...dependencies, ...devDependencies })
  })
  expect(versions.length).toBeGreaterThan(15)
  expect(versions.filter(version => !/^(\d+\.\d+\.\d+|file:gatehouse-(sign-in|server|testing)-0\.1\.0\.tgz)$/.test(version))).toEqual([])
})
