import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { expect, test } from '@playwright/test'
import { publint } from 'publint'
import { filesOf, packInto } from './packed-package.ts'

const names = ['sign-in', 'wire', 'conformance', 'mock', 'testing']

test.describe('@long', () => {
  test.describe.configure({ mode: 'default', timeout: 600_000 })
  let folder = ''
  const tarballs = new Map<string, string>()

  test.beforeAll(async () => {
    test.setTimeout(600_000)
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-packages-'))
    const packed = await packInto(folder, ...names)
    for (const [i, name] of names.entries()) tarballs.set(name, packed[i] ?? '')
  })
  test.afterAll(() => rm(folder, { recursive: true, force: true }))

  const bytesOf = async (name: string) => {
    const { buffer, byteOffset, byteLength } = await readFile(tarballs.get(name) ?? '')
    return buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer
  }

  for (const name of names) {
    test(`publint finds nothing in the packed ${name}`, async () => {
      const { messages } = await publint({ pack: { tarball: await bytesOf(name) }, strict: true })
      expect(messages).toEqual([])
    })

    test(`the types of the packed ${name} are right for ES modules and for bundlers`, async () => {
      const result = await checkPackage(createPackageFromTarballData(new Uint8Array(await bytesOf(name))), {
        // Style sheets and data have no types, nor does the script that defines a global.
        excludeEntrypoints: [/\.css$/, /\.json$/, './page/gatehouse-sign-in.js'],
      })
      // The packages are ES modules only. Node 20 and later load them by require, and `node10` predates export maps.
      const others = result.types ? result.problems.filter(problem => !isOfOtherModules(problem)) : ['no types']
      expect(others).toEqual([])
    })
  }

  /** Problems of CommonJS and of resolution without export maps, as the profile `esm-only` ignores them. */
  const isOfOtherModules = (problem: object) =>
    ('resolutionKind' in problem && (problem.resolutionKind === 'node10' || problem.resolutionKind === 'node16-cjs')) ||
    ('kind' in problem && problem.kind === 'CJSResolvesToESM')

  test('each manifest names license, module type and side effects, and no sources', async () => {
    for (const name of names) {
      const { stdout } = await promisify(execFile)('tar', ['-xzOf', tarballs.get(name) ?? '', 'package/package.json'])
      const manifest = JSON.parse(stdout)
      const { license, type, publishConfig } = manifest
      expect({ name, license, type, publishConfig }).toMatchObject({ name, type: 'module', publishConfig: { access: 'public' } })
      expect(license).toBe('UNLICENSED')
      expect(manifest).toHaveProperty('sideEffects')
      expect(manifest).not.toHaveProperty('private')
      expect(stdout).not.toMatch(/gatehouse-source|\/src\/|devDependencies|"scripts"/)
      for (const path of JSON.stringify(manifest.exports).match(/\.\/dist\/[\w./-]+/g) ?? [])
        await promisify(execFile)('tar', ['-tzf', tarballs.get(name) ?? '', path.replace('./', 'package/')])
    }
  })

  test('each script comes with a source map that names no folder of the machine', async () => {
    const root = join(import.meta.dirname, '..')
    for (const name of names) {
      const unpacked = join(folder, `unpacked-${name}`)
      await mkdir(unpacked)
      await promisify(execFile)('tar', ['-xzf', tarballs.get(name) ?? '', '-C', unpacked])
      const files = await filesOf(unpacked)
      const texts = new Map(await Promise.all(files.map(async file => [file, await readFile(join(unpacked, file), 'utf8')] as const)))
      // Files that only export what others contain have nothing to map, and those of languages are made from JSON.
      const own = (file: string) => (texts.get(file) ?? '').replace(/^(import|export) [^;]*;$/gm, '').length
      const scripts = files.filter(file => file.endsWith('.js') && own(file) > 600 && !file.includes('/languages/'))
      expect(scripts.length).toBeGreaterThan(name === 'testing' ? 0 : 1)
      expect([name, scripts.filter(file => !files.includes(`${file}.map`))]).toEqual([name, []])
      expect([...texts].filter(([, text]) => text.includes(root)).map(([file]) => file)).toEqual([])
    }
  })
})
