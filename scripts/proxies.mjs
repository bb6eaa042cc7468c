// Provides nginx, Caddy and Prometheus for the tests of protected dashboards. Uses installed programs if available. Otherwise unpacks
// Debian packages below .tools without installing them: no service starts, and root is not needed.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Each program with its argument that prints the version, and the variable that tells the tests its path. */
const programs = [
  { name: 'nginx', version: '-v', variable: 'GATEHOUSE_TEST_NGINX' },
  { name: 'caddy', version: 'version', variable: 'GATEHOUSE_TEST_CADDY' },
  { name: 'prometheus', version: '--version', variable: 'GATEHOUSE_TEST_PROMETHEUS' },
]

/**
 * Finds the programs, and downloads those that are missing.
 * @param tools folder for downloads
 * @param step reports a step and its duration
 * @param skip reports tests that cannot run without a program
 * @returns variables for the tests; the path of a missing program is empty
 */
export const ensureProxies = async (tools, step, skip) => {
  const folder = join(tools, 'debian')
  const find = program => placesOf(program, folder).find(path => path && existsSync(path) && works(program, path, folder))
  const missing = () => programs.filter(program => !find(program)).map(({ name }) => name)

  const lacking = missing()
  if (lacking.length > 0 && existsSync('/usr/bin/apt-get')) {
    await step(`Downloading ${lacking.join(', ')} for the proxy tests`, () => {
      unpack(folder, () => [...lacking, ...lacking.flatMap(scriptsOf)])
      // A minimal machine may also lack libraries.
      unpack(folder, () => missing().flatMap(librariesOf))
    })
  }
  const paths = programs.map(program => [program.variable, find(program) ?? ''])
  for (const name of missing()) skip(`the tests with ${name}: it is not installed, and its Debian package could not be downloaded`)
  return { ...Object.fromEntries(paths), GATEHOUSE_TEST_LIBRARIES: librariesIn(folder) }
}

const placesOf = ({ name, variable }, folder) => [
  process.env[variable],
  ...(process.env.PATH ?? '').split(delimiter).map(place => join(place, name)),
  `/usr/sbin/${name}`,
  join(folder, 'usr/sbin', name),
  join(folder, 'usr/bin', name),
]

const works = ({ version }, path, folder) =>
  spawnSync(path, [version], { stdio: 'ignore', env: { ...process.env, LD_LIBRARY_PATH: librariesIn(folder) } }).status === 0

/** The folder with Debian's libraries among the unpacked files. */
const librariesIn = folder =>
  ['usr/lib', 'lib']
    .map(place => join(folder, place))
    .filter(existsSync)
    .flatMap(place => readdirSync(place).flatMap(name => (name.endsWith('-linux-gnu') ? [join(place, name)] : [])))
    .join(delimiter)

const run = (cwd, [program, ...args]) =>
  spawnSync(program, args, { cwd, encoding: 'utf8', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }, timeout: 300_000 })

const dependsOn = (name, fitting) =>
  [...(run('/', ['apt-cache', 'depends', name]).stdout ?? '').matchAll(/^ +Depends: (\S+)$/gm)].flatMap(([, other]) =>
    fitting.test(other) ? [other] : [],
  )

/** The libraries that a Debian package depends on, except the C library, which must be the machine's own. */
const librariesOf = name => dependsOn(name, /^(lib(?!js-|c6$)|zlib)/)

/** The JavaScript packages that Prometheus's pages depend on, directly and indirectly. */
const scriptsOf = name => {
  const scripts = dependsOn(name, /^libjs-/)
  return [...scripts, ...scripts.flatMap(script => dependsOn(script, /^libjs-/))]
}

/** Unpacks Debian packages into one folder. Leaves out those that cannot be downloaded. */
const unpack = (folder, namesOf) => {
  if (namesOf().length === 0) return
  const downloads = join(folder, 'downloads')
  mkdirSync(downloads, { recursive: true })
  const apt = ['apt-get', '-qq', '-o', 'Acquire::http::Timeout=20', '-o', 'Acquire::Retries=1']
  const fetch = packages => run(downloads, [...apt, 'download', ...new Set(packages)]).status === 0
  // A new container has no package lists and finds nothing; outdated lists name versions that no longer exist.
  if (!fetch(namesOf())) {
    run(downloads, [...(process.getuid?.() === 0 ? [] : ['sudo', '-n']), ...apt, 'update'])
    for (const name of namesOf()) fetch([name])
  }
  for (const file of readdirSync(downloads).filter(file => file.endsWith('.deb'))) {
    const { stdout } = spawnSync('dpkg-deb', ['--fsys-tarfile', file], { cwd: downloads, maxBuffer: 1 << 30 })
    // Leave out 200 MB of time zone data that the tests do not use.
    spawnSync('tar', ['-x', '-C', folder, '--exclude=*.json'], { input: stdout })
  }
  rmSync(downloads, { recursive: true })
}
