// Makes the files of a release: the packages, what they contain (CycloneDX), and their checksums.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureServerPackage } from './builds.mjs'
import { npm } from './node.mjs'
import { packPackage, publicPackages } from './pack.mjs'
import { Failed, must, root, say, step } from './steps.mjs'
import { readVersion } from './version.mjs'

/** The workspaces whose libraries the packages contain. */
const shipped = ['server', 'portal', 'ui', ...publicPackages]

const sha256 = bytes => createHash('sha256').update(bytes).digest('hex')

/** The time of the release: SOURCE_DATE_EPOCH (https://reproducible-builds.org/specs/source-date-epoch/), or that of the last commit. */
const releaseTime = () => {
  const seconds = process.env.SOURCE_DATE_EPOCH ?? execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' })
  return new Date(Number(seconds) * 1000).toISOString()
}

/**
 * The libraries that the packages contain or install, as `name@version`. npm's own `--omit=dev` leaves out those that a development
 * dependency needs as well.
 */
const shippedLibraries = () => {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const found = new Set()
  const visit = path => {
    if (found.has(path)) return
    found.add(path)
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta = {} } = packages[path]
    const peers = Object.keys(peerDependencies ?? {}).filter(name => !peerDependenciesMeta[name]?.optional)
    for (const name of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]) {
      const at = locate(path, name)
      if (at) visit(at)
    }
  }
  /** Where a module below a path finds a library: in the nearest `node_modules` that has it. */
  const locate = (from, name) => {
    for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
      const path = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`
      if (packages[path]) return packages[path].link ? packages[path].resolved : path
      if (folder === '') return undefined
    }
  }
  for (const name of shipped) visit(`packages/${name}`)
  return new Set(
    [...found].map(path => `${packages[path].name ?? path.slice(path.lastIndexOf('node_modules/') + 13)}@${packages[path].version}`),
  )
}

/** npm's list of libraries with their licenses and hashes. Replaces what differs from run to run, or from folder to folder. */
const materials = (node, version) => {
  const [program, args, options] = npm(node, ['sbom', '--sbom-format=cyclonedx', '--package-lock-only'])
  const list = JSON.parse(
    execFileSync(program, args, { ...options, cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26, stdio: ['ignore', 'pipe', 'ignore'] }),
  )
  const libraries = shippedLibraries()
  const isShipped = reference => libraries.has(reference)
  const { component, ...metadata } = list.metadata
  const content = {
    ...list,
    serialNumber: undefined,
    metadata: { ...metadata, timestamp: releaseTime(), component: { ...component, name: 'gatehouse' } },
    components: list.components.filter(one => isShipped(one['bom-ref'])),
    dependencies: list.dependencies
      .filter(({ ref }) => isShipped(ref) || ref === component['bom-ref'])
      .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter(isShipped) })),
  }
  const digest = sha256(JSON.stringify(content))
  // A UUID of version 8 (RFC 9562 §5.8), which carries the content's hash.
  const uuid = `${digest.slice(0, 8)}-${digest.slice(8, 12)}-8${digest.slice(13, 16)}-8${digest.slice(17, 20)}-${digest.slice(20, 32)}`
  return [`gatehouse-${version}.cdx.json`, `${JSON.stringify({ ...content, serialNumber: `urn:uuid:${uuid}` }, null, 2)}\n`]
}

/** The server's build writes a package, with its manifest, into `dist`. */
const packServer = async (node, folder) => {
  const [program, args, options] = npm(node, [
    'pack',
    './packages/server/dist',
    '--ignore-scripts',
    '--silent',
    '--pack-destination',
    folder,
  ])
  await must('Packing the server', program, args, { ...options, stdio: ['ignore', 'ignore', 2] })
}

const releaseVersion = () => {
  try {
    return readVersion(root)
  } catch (error) {
    throw new Failed(error.message)
  }
}

/** Writes `release/`. The same commit, Node and npm give the same bytes. */
export const createRelease = async node => {
  const version = releaseVersion()
  await ensureServerPackage(node)
  const folder = join(root, 'release')
  const next = join(root, 'release.next')
  await step('Packing', async () => {
    rmSync(next, { recursive: true, force: true })
    mkdirSync(next)
    await packServer(node, next)
    for (const name of publicPackages) await packPackage(node, name, next)
    const [name, text] = materials(node, version)
    writeFileSync(join(next, name), text)
    const sums = readdirSync(next)
      .sort()
      .map(file => `${sha256(readFileSync(join(next, file)))}  ${file}\n`)
    writeFileSync(join(next, 'SHA256SUMS'), sums.join(''))
    rmSync(folder, { recursive: true, force: true })
    renameSync(next, folder)
  })
  say(readFileSync(join(folder, 'SHA256SUMS'), 'utf8'))
}
