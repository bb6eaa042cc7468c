import { execFile } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { expect, test } from '@playwright/test'
import { publint } from 'publint'
import { anchorsOf, linksOf } from '../docs/markdown-links.ts'
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

  /** Unpacks a package once. @returns the folder with its files */
  const unpacked = async (name: string) => {
    const into = join(folder, `unpacked-${name}`)
    if (existsSync(into)) return join(into, 'package')
    await mkdir(into)
    await promisify(execFile)('tar', ['-xzf', tarballs.get(name) ?? '', '-C', into])
    return join(into, 'package')
  }

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
      // The packages are ES modules only. Node 20 and later load them with `require`, and `node10` predates export maps.
      const others = result.types ? result.problems.filter(problem => !isOfOtherModules(problem)) : ['no types']
      expect(others).toEqual([])
    })
  }

  /** Problems with CommonJS and with resolution without export maps, which the profile `esm-only` also ignores. */
  const isOfOtherModules = (problem: object) =>
    ('resolutionKind' in problem && (problem.resolutionKind === 'node10' || problem.resolutionKind === 'node16-cjs')) ||
    ('kind' in problem && problem.kind === 'CJSResolvesToESM')

  test('each manifest names its license, module type and side effects, but no sources', async () => {
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

  test('every relative link of a page in a package leads to a file and heading of the package', async () => {
    const problems: string[] = []
    let links = 0
    for (const name of names) {
      const home = await unpacked(name)
      for (const page of (await filesOf(home)).filter(file => file.endsWith('.md'))) {
        for (const link of linksOf(join(home, page))) {
          links++
          const [path = '', anchor] = link.split('#')
          const file = path === '' ? join(home, page) : join(home, dirname(page), path)
          const isThere = file.startsWith(home) && existsSync(file) && statSync(file).isFile()
          if (!isThere || (anchor !== undefined && !anchorsOf(file).includes(anchor))) problems.push(`${name}/${page}: ${link}`)
        }
      }
    }
    expect(problems).toEqual([])
    expect(links).toBeGreaterThan(30)
  })

  test('each script comes with a source map that names no folder of the machine', async () => {
    const root = join(import.meta.dirname, '..')
    for (const name of names) {
      const home = await unpacked(name)
      const files = await filesOf(home)
      const texts = new Map(await Promise.all(files.map(async file => [file, await readFile(join(home, file), 'utf8')] as const)))
      // Files that only re-export have nothing to map, and language files are generated from JSON.
      const own = (file: string) => (texts.get(file) ?? '').replace(/^(import|export) [^;]*;$/gm, '').length
      const scripts = files.filter(file => /^dist\/.*\.js$/.test(file) && own(file) > 600 && !file.includes('/languages/'))
      expect(scripts.length).toBeGreaterThan(name === 'testing' ? 0 : 1)
      expect([name, scripts.filter(file => !files.includes(`${file}.map`))]).toEqual([name, []])
      expect([...texts].filter(([, text]) => text.includes(root)).map(([file]) => file)).toEqual([])
    }
  })
})
