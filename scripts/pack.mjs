// Packs a package for npm. In this workspace the manifests export sources, because Node, Vite and Vitest run them without a build; Node
// runs no TypeScript below node_modules, so the packed manifest exports the build. This script writes it into a temporary folder, because
// servers of the workspace may read the original manifest at any moment.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { builtPackages } from './builds.mjs'
import { npm } from './node.mjs'
import { packedPages } from './packed-pages.mjs'
import { must, root } from './steps.mjs'

/** The main entry of a packed package. In this workspace, the main entry is a source file. */
const built = { types: './dist/index.d.ts', default: './dist/index.js' }

/** The packages that embedders install. The server's build writes a separate package; ui and portal are bundled into others. */
export const publicPackages = ['sign-in', 'wire', 'conformance', 'mock', 'testing']

/** The entries of a packed package. Leaves out the condition `gatehouse-source`, and entries that export only sources. */
const builtEntries = exports =>
  Object.fromEntries(
    Object.entries(exports).flatMap(([path, target]) => {
      if (path === '.' && typeof target === 'string') return [[path, built]]
      if (typeof target === 'string') return target.startsWith('./src/') ? [] : [[path, target]]
      const { 'gatehouse-source': _, ...others } = target
      return Object.keys(others).length > 0 ? [[path, others]] : []
    }),
  )

const readManifest = folder => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))

/** The manifest of the packed package, with the given pages. License and repository are those of the root; npm's provenance requires the repository. */
const packedManifest = (name, pages) => {
  const { license, repository } = readManifest('.')
  const { scripts, devDependencies, private: _, exports, sideEffects, files, ...rest } = readManifest(`packages/${name}`)
  return {
    ...rest,
    sideEffects: Array.isArray(sideEffects) ? sideEffects.filter(path => !path.startsWith('./src/')) : sideEffects,
    license,
    ...(repository && { repository: { ...repository, directory: `packages/${name}` } }),
    publishConfig: { access: 'public', ...(repository && { provenance: true }) },
    exports: { ...builtEntries(exports), './package.json': './package.json' },
    // npm packs a README in any case.
    files: [...files, ...pages.filter(page => page !== 'README.md')],
  }
}

/** Copies what a package consists of into a folder, with its packed manifest. */
const stage = name => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-pack-'))
  const pages = packedPages(name)
  const { files } = readManifest(`packages/${name}`)
  for (const file of files.filter(file => !file.startsWith('!')))
    cpSync(join(root, 'packages', name, file), join(folder, file), { recursive: true })
  for (const [file, text] of pages) {
    mkdirSync(join(folder, dirname(file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
  const manifest = packedManifest(name, [...pages.keys()])
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  return folder
}

/** Builds a package if its sources have changed, and writes its tarball into a folder. */
export const packPackage = async (node, name, destination) => {
  await builtPackages[name](node)
  const folder = stage(name)
  try {
    const [program, args, options] = npm(node, ['pack', folder, '--ignore-scripts', '--silent', '--pack-destination', destination])
    await must(`Packing ${name}`, program, args, { ...options, stdio: ['ignore', 'ignore', 2] })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
