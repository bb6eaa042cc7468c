// Builds what the commands need: the pages, the packages for npm, and the compile cache of the server.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { npm } from './node.mjs'
import { hashOf, must, onceFor, root, tools } from './steps.mjs'

const filesUnder = folder =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath ?? entry.path, entry.name))
    .filter(file => !/[\\/](dist|node_modules)[\\/]/.test(file))
    .sort()

/** Builds a workspace if its own files, those of the workspaces it bundles, or the recipes it contains have changed. */
const ensureBuilt = (node, what, workspace, others, recipes = []) => {
  const sources = [
    ...[workspace, ...others].flatMap(name => filesUnder(join(root, 'packages', name))),
    ...recipes.flatMap(name => filesUnder(join(root, 'docs', name))).filter(file => !/\.(md|webp)$/.test(file)),
  ]
  return onceFor(
    join(root, 'packages', workspace, 'dist/.gatehouse-built'),
    hashOf(readFileSync(join(root, 'package-lock.json')), ...sources.flatMap(file => [file.slice(root.length), readFileSync(file)])),
    what,
    () => {
      const [program, args, options] = npm(node, ['run', '--silent', 'build', '--workspace', `packages/${workspace}`])
      // Developers see the bundler's warnings with `npm run build`.
      return must(what, program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
    },
  )
}

export const ensurePages = node => ensureBuilt(node, 'Building the pages', 'portal', ['language', 'sign-in', 'ui', 'wire'])
/** The package that operators install: the server in a few files, with the pages. */
export const ensureServerPackage = async node => {
  await ensurePages(node)
  await ensureBuilt(
    node,
    'Building the server',
    'server',
    ['portal', 'language', 'sign-in', 'ui', 'wire'],
    ['getting-started', 'protecting', 'observability'],
  )
}
export const ensurePackage = node => ensureBuilt(node, 'Building the package', 'sign-in', ['language', 'ui', 'wire'])

/** Builds each workspace for `npm pack`. */
export const builtPackages = {
  server: ensureServerPackage,
  'sign-in': ensurePackage,
  wire: node => ensureBuilt(node, 'Building the package', 'wire', []),
  conformance: node => ensureBuilt(node, 'Building the conformance checks', 'conformance', ['wire']),
  mock: node => ensureBuilt(node, 'Building the mock server', 'mock', ['wire']),
  testing: node => ensureBuilt(node, 'Building the package for tests', 'testing', ['wire']),
}

/** Builds what embedders install, one package after another, before tests that run in parallel read or pack it. */
export const ensureAllPackages = async node => {
  for (const name of ['sign-in', 'wire', 'conformance', 'mock', 'testing']) await builtPackages[name](node)
}

/** Node's compile cache for our sources. Without it, a start takes twice the time and 25 MB more. */
export const compiled = { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE || join(tools, 'compiled') }

export const serverSource = join(root, 'packages/server/src')

/**
 * Limits V8's young generation, whose memory an idle server never uses again, and lets the server collect garbage after its start. One
 * thread alone collects the young generation: a few MB are not worth waking others.
 */
export const lean = ['--max-semi-space-size=8', '--no-parallel-scavenge', '--expose-gc']

/** Fills the cache for the server's sources after a change, and removes the old one. */
export const ensureCompiled = node => {
  const sources = [...filesUnder(serverSource), ...filesUnder(join(root, 'packages/wire/src'))]
  return onceFor(
    join(tools, 'compiled/.gatehouse-compiled'),
    hashOf(
      readFileSync(join(root, 'package-lock.json')),
      spawnSync(node, ['--version']).stdout,
      ...sources.flatMap(file => [file.slice(root.length), readFileSync(file)]),
    ),
    'Compiling the server',
    () => {
      rmSync(join(tools, 'compiled'), { recursive: true, force: true })
      return must('Compiling the server', node, [...lean, join(serverSource, 'main.ts'), '--only-load'], {
        env: { ...process.env, ...compiled },
      })
    },
  )
}
