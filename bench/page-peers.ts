import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { npm } from './npm.ts'

const sources = join(import.meta.dirname, 'peers/page')
/** The page for peers that render into an element. */
const emptyPage = join(sources, 'index.html')
const built = join(import.meta.dirname, '../.tools/peers/page')
const vite = join(import.meta.dirname, '../node_modules/vite/bin/vite.js')

/** A peer's files, a module that replies to its calls, and the number of its npm packages. */
export type BuiltPeer = { folder: string; calls: string | undefined; packages: number }

const must = (what: string, { status, stdout, stderr }: SpawnSyncReturns<string>) => {
  if (status !== 0) throw new Error(`${what} failed: ${`${stdout}${stderr}`.trim().split('\n').slice(-3).join(' ')}`)
}

const hashOf = (folder: string) => {
  const hash = createHash('sha256').update(readFileSync(emptyPage))
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
  for (const file of files.map(({ parentPath, name }) => join(parentPath, name)).sort()) hash.update(file).update(readFileSync(file))
  return hash.digest('hex')
}

/** Installs and builds a peer if its sources have changed. Peers have their own packages, but use the project's Vite. */
export const buildPeer = (name: string): BuiltPeer => {
  const source = join(sources, name)
  const calls = join(source, 'calls.mjs')
  const asBuilt = { calls: existsSync(calls) ? calls : undefined }
  // A peer without a package.json is plain HTML.
  if (!existsSync(join(source, 'package.json'))) return { folder: source, packages: 0, ...asBuilt }
  const folder = join(built, name)
  const stamp = join(folder, '.built')
  const hash = hashOf(source)
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== hash) {
    mkdirSync(folder, { recursive: true })
    // Remove the old build, because Tailwind would scan it for class names.
    for (const old of ['dist', 'src']) rmSync(join(folder, old), { recursive: true, force: true })
    cpSync(emptyPage, join(folder, 'index.html'))
    cpSync(source, folder, { recursive: true })
    must(`npm install for ${name}`, npm(['install', '--no-audit', '--no-fund', '--loglevel=error'], folder))
    const args = existsSync(join(folder, 'build.mjs')) ? ['build.mjs'] : [vite, 'build']
    must(`vite build for ${name}`, spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8', timeout: 600_000 }))
    writeFileSync(stamp, hash)
  }
  return { folder: join(folder, 'dist'), packages: countPackages(folder), ...asBuilt }
}

/** The number of packages in production. npm reports problems with some dependency trees, but still lists them. */
const countPackages = (folder: string): number => {
  const { stdout } = npm(['ls', '--omit=dev', '--all', '--parseable'], folder)
  return new Set(stdout.split('\n').filter(line => line.includes('node_modules'))).size
}
