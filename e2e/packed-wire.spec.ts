import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from '@playwright/test'
import { filesOf, packInto } from './packed-package.ts'

// @gatehouse/wire as another project gets it: packed, and installed with npm in a separate folder.
const root = join(import.meta.dirname, '..')
const run = promisify(execFile)
const tool = (script: string, args: string[], cwd: string) => run(process.execPath, [join(root, 'node_modules', script), ...args], { cwd })
const npm = (args: string[], cwd: string) => run('npm', [...args, '--loglevel=error'], { cwd, shell: process.platform === 'win32' })

let folder = ''
let files: string[] = []
const installed = (file: string) => readFile(join(folder, 'node_modules/@gatehouse/wire', file), 'utf8')
const write = (name: string, text: string) => writeFile(join(folder, name), text)
const node = async (script: string) => (await run(process.execPath, ['--input-type=module', '--eval', script], { cwd: folder })).stdout

test.describe.configure({ mode: 'serial', timeout: 120_000 })

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-packed-wire-'))
  const [tarball = ''] = await packInto(folder, 'wire')
  await write('package.json', JSON.stringify({ name: 'scratch', private: true, type: 'module' }))
  await npm(['install', '--prefer-offline', '--no-audit', '--no-fund', tarball], folder)
  files = await filesOf(join(folder, 'node_modules/@gatehouse/wire'))
})

test.afterAll(() => rm(folder, { recursive: true, force: true }))

test('the package contains its modules, types and a README, and depends on Valibot only', async () => {
  expect(files.filter(file => !/^(dist\/(([\w-]+\/)?[\w-]+|_virtual\/.*)\.js(\.map)?|fixtures\/.*\.json)$/.test(file))).toEqual([
    'README.md',
    'dist/index.d.ts',
    'package.json',
  ])
  expect(files).toContain('dist/index.js')
  const found = (await readdir(join(folder, 'node_modules'))).filter(name => !name.startsWith('.'))
  expect(found.sort()).toEqual(['@gatehouse', 'valibot'])
})

test('plain Node decodes, encodes, checks and explains errors', async () => {
  const printed = await node(`
    import success from '@gatehouse/wire/fixtures/AuthOutcome.AuthSuccessful.json' with { type: 'json' }
    import { decode, encode, AuthOutcome, User, routes, verifyErrorText, isUUID, isEmailList, utf8ByteLength, formatMemorySize } from '@gatehouse/wire'
    const user = decode(User, { userIdent: 'u1', userTZLabel: 'Europe/Amsterdam', userAzureId: null })
    console.log(JSON.stringify([
      decode(AuthOutcome, { tag: 'Else' }),
      decode(AuthOutcome, success).ok,
      user.ok && encode(User, user.value),
      encode(routes.sendPasswordResetEmail.request, { userEmail: 'ada@example.com' }),
      verifyErrorText({ tag: 'StoreError', contents: { tag: 'StoreIOError', contents: 'disk' } }),
      isUUID('01234567-89ab-cdef-0123-456789abcdef'), isEmailList('a@b , c@d'), utf8ByteLength('é'), formatMemorySize(1500),
    ]))`)
  expect(JSON.parse(printed)).toEqual([
    { ok: false, error: 'decodeAuthOutcome: /tag: Unknow tag' },
    true,
    { userIdent: 'u1', userTZLabel: 'Europe/Amsterdam', userAzureId: null },
    { useremail: 'ada@example.com' },
    'Store IO error: disk',
    true,
    true,
    2,
    '1.5 GB',
  ])
})

test('the README names only what the package exports, and each export has a comment', async () => {
  const [readme, types] = [await installed('README.md'), await installed('dist/index.d.ts')]
  const table = readme.slice(readme.indexOf('## What it exports'))
  const named = [...table.matchAll(/^\| (`[^|]*`) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
  )
  const [, list = ''] = /^export \{(.*)\};$/m.exec(types) ?? []
  const exported = list.split(',').map(entry => entry.replace(/^.* as |type /g, '').trim())
  expect(named.length).toBeGreaterThan(60)
  expect(named.filter(name => !exported.includes(name))).toEqual([])

  const uncommented = exported.filter(name => {
    const declared = [...types.matchAll(new RegExp(`(\\*/\\n)?(?:declare namespace|declare const|type|declare function) ${name}\\b`, 'g'))]
    return declared.length > 0 && !declared.some(([, comment]) => comment)
  })
  expect(uncommented).toEqual([])
})

test('its types pass strict TypeScript, in Node and in a bundler', { tag: '@long' }, async () => {
  await write(
    'app.ts',
    `import { type AuthOutcome, AuthToken, decode, encode, type Infer, PasswordResetEmailRequest, routes, User } from '@gatehouse/wire'
    export const explain = (outcome: AuthOutcome): string => (outcome.tag === 'AuthSuccessful' ? outcome.contents.authTokenToken : outcome.tag)
    const decoded = decode(AuthToken, JSON.parse('{}'))
    export const selector: string | undefined = decoded.ok ? decoded.value.authTokenSelector : undefined
    export const user: Infer<typeof User> = { ident: 'u1', tzLabel: 'UTC' }
    export const body: unknown = encode(PasswordResetEmailRequest, { userEmail: 'ada@example.com' })
    export const method: 'GET' | 'POST' = routes.verifyOTP.method
    // @ts-expect-error a token has no such field
    export const wrong = decoded.ok && decoded.value.nothing`,
  )
  const compilerOptions = { strict: true, skipLibCheck: false, noEmit: true, exactOptionalPropertyTypes: true, target: 'es2022', types: [] }
  for (const [module, moduleResolution] of [
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ]) {
    await write('tsconfig.json', JSON.stringify({ compilerOptions: { ...compilerOptions, module, moduleResolution }, files: ['app.ts'] }))
    const checked = await tool('typescript/bin/tsc', ['-p', 'tsconfig.json'], folder).catch(error => error)
    expect([module, checked.stdout]).toEqual([module, ''])
  }
})

test('a browser bundle contains only what the page uses', async () => {
  await write('page.js', "import { isUUID } from '@gatehouse/wire'\nglobalThis.checked = isUUID(location.hash)")
  await write('vite.config.js', "export default { build: { rolldownOptions: { input: 'page.js' }, modulePreload: { polyfill: false } } }")
  await tool('vite/bin/vite.js', ['build', '--logLevel', 'error'], folder)
  const [name = ''] = await readdir(join(folder, 'dist/assets'))
  const bundle = await readFile(join(folder, 'dist/assets', name), 'utf8')
  expect(bundle).toContain('36')
  expect(bundle.length).toBeLessThan(500)
})
