import { existsSync } from 'node:fs'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { readTranslations } from '@gatehouse/language/build/translations.ts'
import type { Locator, Page } from '@playwright/test'
import { axeOn, wcag } from './axe.ts'
import { colorsOf, primary } from './colors.ts'
import { compilerOptions, createPackedApp, forBundlers, node, readmeExample, run } from './packed-app.ts'
import { ada, count, expect, test } from './wire.ts'
import type { WireServer } from './wire-server.ts'

// The package as another project gets it: packed, and installed with npm in a separate folder.
const app = `
import '@gatehouse/sign-in/styles.css'
import { createConfig, createRequest, mountSignIn, shape, SignIn, type SignInOptions } from '@gatehouse/sign-in'
import { type DeepPartial, english, type Messages } from '@gatehouse/sign-in/messages'
import { createRoot } from 'react-dom/client'
import * as v from 'valibot'

const words: DeepPartial<Messages> = { login: { signIn: english.login.signIn } }
const options: SignInOptions = { autoFocus: true, messages: words, onError: report => console.error(report.message) }
export const unmountOf = (target: Element): (() => void) => mountSignIn(target, { ...options, onMountFailed: message => void message.trim() })
// @ts-expect-error no such sentence
export const unknown: DeepPartial<Messages> = { login: { nothing: '' } }
// @ts-expect-error the types are not any: the server is an object, not a string
export const wrong = <SignIn server="https://gate.example" />

const Dashboard = shape('Dashboard', v.object({ title: v.string() }))
export const titles = async (): Promise<string[]> => {
  const reply = await createRequest(createConfig().baseUrl).getJsonArray('/dashboards', Dashboard)
  // @ts-expect-error the value has the type of the schema
  if (reply.ok) void reply.value[0]?.name
  return reply.ok ? reply.value.map(({ title }) => title) : []
}

const lang = new URLSearchParams(location.search).get('lang')
const root = document.getElementById('root')
if (root) createRoot(root).render(<SignIn {...(lang === null ? options : { lang })} />)
`
/** All texts of a language, as a server component imports them. */
const german = `
import { SignIn } from '@gatehouse/sign-in'
import { messages } from '@gatehouse/sign-in/languages/de'

export const inGerman = <SignIn messages={messages} />
export const language: string = messages.language
// @ts-expect-error no such sentence
messages.login.nothing
`
const page =
  '<!doctype html><html lang="en"><title>Scratch</title><link rel="icon" href="data:,"><div id="root"></div><script type="module" src="./app.tsx"></script></html>'

/** Every translation is in the package. */
const languages = readTranslations().map(({ language }) => language.tag)

let folder = ''
let files: string[] = []

test.describe.configure({ mode: 'serial', timeout: 90_000 })

test.beforeAll(async () => {
  const sources = ['app.tsx', 'german.tsx', 'readme.tsx']
  const example = await readmeExample()
  expect(example).toContain('watchSession')
  const created = await createPackedApp({
    'app.tsx': app,
    'german.tsx': german,
    'readme.tsx': example,
    'index.html': page,
    'tsconfig.json': JSON.stringify({ compilerOptions: forBundlers, files: sources }),
    'tsconfig.node.json': JSON.stringify({ compilerOptions: { ...compilerOptions, module: 'nodenext' }, files: sources }),
  })
  folder = created.folder
  files = created.packed
})

test.afterAll(() => rm(folder, { recursive: true, force: true }))

test('the package contains only built files and depends on React only', async () => {
  expect(files.filter(file => !/^dist\/parts\/|\.js\.map$/.test(file))).toEqual([
    'README.md',
    'dist/LICENSES.txt',
    ...['element', 'headless', 'index', ...languages.map(tag => `languages/${tag}`), 'messages'].flatMap(entry => [
      `dist/${entry}.d.ts`,
      `dist/${entry}.js`,
    ]),
    'dist/page/gatehouse-sign-in.css',
    'dist/page/gatehouse-sign-in.js',
    ...languages.map(tag => `dist/page/languages/${tag}.js`),
    'dist/session.d.ts',
    'dist/session.js',
    'dist/styles.css',
    'package.json',
    'styles.d.ts',
  ])
  const installed = (await readdir(join(folder, 'node_modules'))).filter(name => !name.startsWith('.')).sort()
  expect(installed).toEqual(['@gatehouse', '@types', 'csstype', 'react', 'react-dom', 'scheduler', 'valibot'])
  expect(await readdir(join(folder, 'node_modules/@gatehouse'))).toEqual(['sign-in'])
  const built = await Promise.all(
    files.filter(file => /\.(d\.ts|js)$/.test(file)).map(file => readFile(join(folder, 'node_modules/@gatehouse/sign-in', file), 'utf8')),
  )
  const named = built.flatMap(text => [...text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*"([^"./][^"]*)"/g)].map(match => match[1]))
  expect([...new Set(named)].sort()).toEqual(['react', 'react-dom/client', 'react/jsx-runtime'])
})

/**
 * Maximum bytes with brotli, without React and without what loads later. `SignIn` includes the style sheet, and must cost a host at most
 * 22 kB. `headless` contains every page's logic, and texts in any language.
 */
const budgets = { SignIn: 22_000, session: 7200, headless: 23_200, element: 16_000 }

/** Bundles one entry. Returns the compressed size of its chunk and of all chunks that it imports statically. */
const bytesOf = async (name: string) => {
  const source = name === 'SignIn' ? "export { SignIn } from '@gatehouse/sign-in'" : `export * from '@gatehouse/sign-in/${name}'`
  await writeFile(join(folder, `size-${name}.js`), source)
  await writeFile(
    join(folder, `size-${name}.config.js`),
    `export default { build: { manifest: 'manifest.json', outDir: 'size-${name}', modulePreload: { polyfill: false },
      rolldownOptions: { input: './size-${name}.js', external: [/^react/], preserveEntrySignatures: 'strict' } } }`,
  )
  await node('vite/bin/vite.js', ['build', '--config', `size-${name}.config.js`, '--logLevel', 'error'], folder)
  const out = join(folder, `size-${name}`)
  const manifest: Record<string, { file: string; imports?: string[] }> = JSON.parse(await readFile(join(out, 'manifest.json'), 'utf8'))
  const files = new Set<string>()
  const collect = (key: string) => {
    const { file, imports = [] } = manifest[key] ?? {}
    if (!file || files.has(file)) return
    files.add(file)
    for (const other of imports) collect(other)
  }
  collect(`size-${name}.js`)
  expect([...files], name).not.toEqual([])
  const styles = name === 'SignIn' ? [join(folder, 'node_modules/@gatehouse/sign-in/dist/styles.css')] : []
  const all = [...styles, ...[...files].map(file => join(out, file))]
  return (await Promise.all(all.map(async file => brotliCompressSync(await readFile(file)).length))).reduce((sum, size) => sum + size)
}

test('each entry stays within its size budget', async () => {
  const sizes: [string, number][] = []
  for (const name of Object.keys(budgets)) sizes.push([name, await bytesOf(name)])
  for (const [name, most] of Object.entries(budgets)) {
    const bytes = new Map(sizes).get(name) ?? 0
    expect(bytes, JSON.stringify(sizes)).toBeLessThanOrEqual(most)
    // A budget far above the real size would not detect growth.
    expect(bytes, JSON.stringify(sizes)).toBeGreaterThan(most * 0.75)
  }
})

test('its types pass strict TypeScript, with library checks on', { tag: '@long' }, async () => {
  for (const project of ['tsconfig.json', 'tsconfig.node.json']) {
    const checked = await node('typescript/bin/tsc', ['-p', project], folder).catch(error => error)
    expect([project, checked.stdout]).toEqual([project, ''])
  }
})

test('renders in Node, for server-side rendering', async () => {
  const script = `import { SignIn } from '@gatehouse/sign-in'
    import { createElement } from 'react'
    import { renderToString } from 'react-dom/server'
    console.log(renderToString(createElement(SignIn)))`
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script], { cwd: folder })
  expect(stdout).toContain('Forgot your password?')
})

test('a server component can import the English texts', async () => {
  const script = `import { english, withEnglish } from '@gatehouse/sign-in/messages'
    console.log(withEnglish(english, { login: { signIn: 'Anmelden' } }).login.signIn, english.login.signIn)`
  const { stdout } = await run(process.execPath, ['--conditions=react-server', '--input-type=module', '--eval', script], { cwd: folder })
  expect(stdout).toBe('Anmelden Sign in\n')
  const words = await readFile(join(folder, 'node_modules/@gatehouse/sign-in/dist/messages.js'), 'utf8')
  expect(words).not.toContain('use client')
})

test('a server component can import all texts of each language as plain data', async () => {
  const script = `const all = await Promise.all(${JSON.stringify(languages)}.map(tag => import('@gatehouse/sign-in/languages/' + tag)))
    console.log(JSON.stringify(all.map(({ messages }) => structuredClone(messages))))`
  const { stdout } = await run(process.execPath, ['--conditions=react-server', '--input-type=module', '--eval', script], { cwd: folder })
  const texts: { language: string; login: { signIn: string }; forgotPassword: { sentTo: string } }[] = JSON.parse(stdout)
  expect(texts.map(({ language }) => language)).toEqual(languages)
  expect(texts.find(({ language }) => language === 'de')).toMatchObject({
    login: { signIn: 'Anmelden' },
    forgotPassword: { sentTo: 'Gesendet an {address}' },
  })
})

/** Builds the application once for all tests, and serves it below /app. */
const serveApp = async (wire: WireServer) => {
  const dist = join(folder, 'dist')
  if (!existsSync(dist)) await node('vite/bin/vite.js', ['build', '--base', './', '--logLevel', 'error'], folder)
  for (const entry of await readdir(dist, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    wire.serve(`/app${file.slice(dist.length).replaceAll('\\', '/')}`, await readFile(file, 'utf8'))
  }
}

/** Serves a page without a bundler below /plain, with the package's page script and its languages. */
const servePlain = async (wire: WireServer, start: string) => {
  const from = join(folder, 'node_modules/@gatehouse/sign-in/dist/page')
  const names = ['gatehouse-sign-in.js', 'gatehouse-sign-in.css', ...languages.map(tag => `languages/${tag}.js`)]
  for (const name of names) wire.serve(`/plain/${name}`, await readFile(join(from, name), 'utf8'))
  wire.serve('/plain/start.js', start)
  wire.serve(
    '/plain/index.html',
    `<!doctype html><html lang="en"><title>Plain</title><link rel="icon" href="data:,"><link rel="stylesheet" href="gatehouse-sign-in.css">
     <div id="root"></div><script src="gatehouse-sign-in.js"></script><script src="start.js"></script></html>`,
  )
}

/** The paths of all requests from now on. */
const pathsOf = (page: Page) => {
  const paths: string[] = []
  page.on('request', request => paths.push(new URL(request.url()).pathname))
  return paths
}

const expectNoViolations = async (page: Page) => {
  const { violations } = await (await axeOn(page)).withTags(wcag).analyze()
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
}

/** Expects the widget's first page and a page that loads later to be accessible and without English. */
const expectGerman = async (page: Page) => {
  const widget = page.locator('[data-gatehouse]')
  await expect(page.getByLabel('E-Mail-Adresse')).toBeVisible()
  await expect(widget).toHaveAttribute('lang', 'de')
  await expect(widget).toHaveAttribute('dir', 'ltr')
  await expect(widget).not.toContainText(/\b(Sign in|password)\b/)
  await expectNoViolations(page)
  await page.getByLabel('E-Mail-Adresse').fill(ada.username)
  await page.getByRole('button', { name: 'Passwort vergessen?' }).click()
  await expect(page.getByRole('heading', { name: 'Passwort vergessen?' })).toBeVisible()
  await page.getByRole('button', { name: 'Einmallink senden' }).click()
  await expect(page.getByText(`Gesendet an ${ada.username}`)).toBeVisible()
  await expect(widget).not.toContainText(/\b(Sent|link|password)\b/)
  await expectNoViolations(page)
}

test('a React application that Vite builds signs in with the packed widget', async ({ page, wire }) => {
  await serveApp(wire)
  await page.goto('/app/index.html')
  await expect(page.getByLabel('Email')).toBeFocused()
  // The imported file is the only style sheet. No script adds one.
  await expect(page.locator('form button[type=submit]')).toHaveCSS('min-height', '44px')
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
    expect(await colorsOf(page)).toMatchObject(primary[theme])
  }
  expect(await page.locator('style, [style]').count()).toBe(0)
  await page.getByLabel('Email').fill(ada.username)
  await page.getByLabel('Password', { exact: true }).fill(ada.password)
  await page.getByLabel('Password', { exact: true }).press('Enter')
  await expect(page).toHaveURL(/\/auth\/page\/plow\/wq3S0bX9r2m1Yd7K\/Jx8hT2vQm5nR0cUe1sLZ4g$/)
  expect(count(wire, 'plowlogin')).toBe(1)
})

test('a React application loads one language, and shows it on the first and on a later page', { tag: '@long' }, async ({ page, wire }) => {
  await serveApp(wire)
  const paths = pathsOf(page)
  await page.goto('/app/index.html?lang=de-AT')
  await expectGerman(page)
  expect(paths.filter(path => languages.some(tag => path.includes(`/${tag}-`)))).toEqual([expect.stringMatching(/\/de-[\w-]+\.js$/)])
})

test('a React application shows Arabic from right to left', { tag: '@long' }, async ({ page, wire }) => {
  await serveApp(wire)
  await page.goto('/app/index.html?lang=ar')
  const email = page.getByLabel('البريد الإلكتروني')
  await expect(email).toBeVisible()
  const widget = page.locator('[data-gatehouse]')
  await expect(widget).toHaveAttribute('lang', 'ar')
  await expect(widget).toHaveCSS('direction', 'rtl')
  await expect(page.locator('html')).toHaveCSS('direction', 'ltr')
  await expectNoViolations(page)
  // The label begins at the right edge of its field.
  const right = (element: Locator) =>
    element.evaluate(node => {
      const range = document.createRange()
      range.selectNodeContents(node)
      return Math.round((node instanceof HTMLInputElement ? node : range).getBoundingClientRect().right)
    })
  expect(Math.abs((await right(page.locator('label', { hasText: 'البريد الإلكتروني' }))) - (await right(email)))).toBeLessThan(8)
})

test('a page without a bundler signs in with the one script, under a strict CSP', async ({ page, wire }) => {
  await servePlain(wire, "Gatehouse.mountSignIn('#root')")
  const asked = pathsOf(page)
  await page.goto('/plain/index.html')
  await page.getByLabel('Email').fill(ada.username)
  await page.getByLabel('Password', { exact: true }).fill(ada.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page).toHaveURL(/\/auth\/page\/plow\/wq3S0bX9r2m1Yd7K\//)
  expect(asked.filter(path => /\.(js|css)$/.test(path))).toEqual([
    '/plain/gatehouse-sign-in.css',
    '/plain/gatehouse-sign-in.js',
    '/plain/start.js',
  ])
})

test('a page without a bundler gets a language from the file beside the one script, under a strict CSP', async ({ page, wire }) => {
  await servePlain(wire, "Gatehouse.mountSignIn('#root', { lang: 'de' })")
  const paths = pathsOf(page)
  await page.goto('/plain/index.html')
  await expectGerman(page)
  expect(paths.filter(path => path.startsWith('/plain/languages/'))).toEqual(['/plain/languages/de.js'])
})
