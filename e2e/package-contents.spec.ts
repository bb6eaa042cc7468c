import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import { readTranslations } from '@gatehouse/language/build/translations.ts'
import { startMock as startMockFromSources } from '@gatehouse/mock'
import { expect, test } from '@playwright/test'
import { build } from 'vite'
import { readExports, typedEntries, withExports } from './package-exports.ts'

const root = join(import.meta.dirname, '..')
const read = (file: string) => readFileSync(join(root, file))
const isStatic = /(?:^|[;}\s])(?:import|export)\s*(?:[\w*{}\s,$]+from\s*)?"(\.[^"]+)"/g

/** A script and everything that it imports statically, all of which a host must load before the script runs. */
const closure = (file: string, found = new Set<string>()): Set<string> => {
  if (found.has(file)) return found
  found.add(file)
  for (const [, path = ''] of read(file).toString().matchAll(isStatic)) closure(join(dirname(file), path), found)
  return found
}
const brotli = (files: Iterable<string>) => brotliCompressSync(Buffer.concat([...files].map(read))).length

/** Maximum bytes of each entry with brotli, usually without React. Raise a limit only for a reason that readers of the changelog accept. */
const budgets: [entry: string, file: string, most: number][] = [
  ['the widget with everything that its entry exports', 'packages/sign-in/dist/index.js', 40_500],
  ['the sign-in without markup', 'packages/sign-in/dist/headless.js', 24_000],
  ['the session functions', 'packages/sign-in/dist/session.js', 12_000],
  ['the custom element', 'packages/sign-in/dist/element.js', 16_000],
  ['the style sheet', 'packages/sign-in/dist/styles.css', 8_000],
  ['the English texts', 'packages/sign-in/dist/messages.js', 5_000],
  ...readTranslations().flatMap(({ language: { tag, name } }): [string, string, number][] => [
    [`the texts in ${name}`, `packages/sign-in/dist/languages/${tag}.js`, 4500],
    [`the texts in ${name} for a page without a bundler`, `packages/sign-in/dist/page/languages/${tag}.js`, 4500],
  ]),
  ['the script for a page without a bundler, with React', 'packages/sign-in/dist/page/gatehouse-sign-in.js', 115_000],
  ['its style sheet', 'packages/sign-in/dist/page/gatehouse-sign-in.css', 8_000],
  ['the whole wire format, without Valibot', 'packages/wire/dist/index.js', 24_000],
  ['the conformance checks with their libraries', 'packages/conformance/dist/index.js', 60_000],
  ['the mock with its libraries', 'packages/mock/dist/index.js', 60_000],
  ['the package for tests with its libraries', 'packages/testing/dist/index.js', 40_000],
]

for (const [entry, file, most] of budgets)
  test(`${entry}: at most ${most} bytes with brotli`, () => {
    expect(brotli(file.endsWith('.css') ? [file] : closure(file))).toBeLessThanOrEqual(most)
  })

/** What a React application loads for the first page: its bundler keeps what `SignIn` needs, and loads other pages later. */
test('the sign-in page costs a React application at most 22000 bytes with brotli', async () => {
  const entry = test.info().outputPath('host.js')
  writeFileSync(entry, `export { SignIn } from ${JSON.stringify(join(root, 'packages/sign-in/dist/index.js'))}`)
  const built = await build({
    configFile: false,
    logLevel: 'error',
    build: { write: false, minify: true, lib: { entry, formats: ['es'] }, rolldownOptions: { external: [/^react(-dom)?($|\/)/] } },
  })
  const chunks = [built]
    .flat()
    .flatMap(output => ('output' in output ? output.output : []))
    .filter(part => part.type === 'chunk')
  const needed = new Set(chunks.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName))
  for (const name of needed) for (const more of chunks.find(({ fileName }) => fileName === name)?.imports ?? []) needed.add(more)
  const code = chunks.filter(({ fileName }) => needed.has(fileName)).map(({ code }) => code)
  expect(code.join('')).toContain('Forgot your password?')
  expect(brotliCompressSync(code.join('\n')).length).toBeLessThanOrEqual(22_000)
})

test('docs/api.md lists the exports of the built types; node e2e/write-api.ts updates it', () => {
  const page = read('docs/api.md').toString()
  for (const entry of Object.keys(typedEntries)) expect(page).toContain(`<!-- /${entry} -->`)
  expect(withExports(page)).toBe(page)
})

test('the built mock offers the outcomes of its sources', async () => {
  const { startMock } = await import(pathToFileURL(join(root, 'packages/mock/dist/index.js')).href)
  const started = await Promise.all([startMock(), startMockFromSources()])
  const [built, sources] = await Promise.all(started.map(async ({ url }) => (await fetch(`${url}/mock/calls`)).json()))
  await Promise.all(started.map(({ close }) => close()))
  expect(built).toEqual(sources)
  expect(built.find(({ name }: { name: string }) => name === 'verifyOTP').usual).toBe('AuthSuccessful')
})

test('every export of a package has a comment', () => {
  // The bundler drops the comments of namespaces. The README of the package explains the namespaces instead.
  const uncommented = Object.entries(typedEntries).flatMap(([entry, file]) =>
    readExports(join(root, file)).flatMap(({ name, kind, says }) => (says === '' && kind !== 'namespace' ? [`${entry} ${name}`] : [])),
  )
  expect(uncommented).toEqual([])
})
