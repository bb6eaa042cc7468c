// Brings what the tests in front of dashboards need, and nothing else does: nginx, Caddy and Prometheus. Those of this machine are used if there
// are any; else Debian's packages are unpacked below .tools, without being installed: no service starts, and root is not needed.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Each program with the argument by which it says its version, and the variable by which the tests are told where it is. */
const programs = [
  { name: 'nginx', version: '-v', variable: 'GATEHOUSE_TEST_NGINX' },
  { name: 'caddy', version: 'version', variable: 'GATEHOUSE_TEST_CADDY' },
  { name: 'prometheus', version: '--version', variable: 'GATEHOUSE_TEST_PROMETHEUS' },
]

/**
 * Looks for the programs, and brings those that are missing.
 * @param tools folder for what is brought
 * @param step says what is being done, and how long it took
 * @param skip hears what cannot be tested without a program
 * @returns variables for the tests; the path of a program that could not be brought is empty
 */
export const ensureProxies = async (tools, step, skip) => {
  const folder = join(tools, 'debian')
  const find = program => placesOf(program, folder).find(path => path && existsSync(path) && works(program, path, folder))
  const missing = () => programs.filter(program => !find(program)).map(({ name }) => name)

  const lacking = missing()
  if (lacking.length > 0 && existsSync('/usr/bin/apt-get')) {
    await step(`Downloading ${lacking.join(', ')} for the proxy tests`, () => {
      unpack(folder, () => [...lacking, ...lacking.flatMap(scriptsOf)])
      // On a machine with next to nothing a library may be missing as well.
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

/** Where Debian's libraries are among what was unpacked. */
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

/** The libraries that a Debian package names, but for the C library, which must be the machine's own. */
const librariesOf = name => dependsOn(name, /^(lib(?!js-|c6$)|zlib)/)

/** The scripts of its pages, which Prometheus takes from other packages, and those from further ones. */
const scriptsOf = name => {
  const scripts = dependsOn(name, /^libjs-/)
  return [...scripts, ...scripts.flatMap(script => dependsOn(script, /^libjs-/))]
}

/** Unpacks Debian packages side by side. What cannot be fetched is left out. */
const unpack = (folder, namesOf) => {
  if (namesOf().length === 0) return
  const downloads = join(folder, 'downloads')
  mkdirSync(downloads, { recursive: true })
  const apt = ['apt-get', '-qq', '-o', 'Acquire::http::Timeout=20', '-o', 'Acquire::Retries=1']
  const fetch = packages => run(downloads, [...apt, 'download', ...new Set(packages)]).status === 0
  // A fresh container has no lists and knows no package of another; old lists name versions that are gone.
  if (!fetch(namesOf())) {
    run(downloads, [...(process.getuid?.() === 0 ? [] : ['sudo', '-n']), ...apt, 'update'])
    for (const name of namesOf()) fetch([name])
  }
  for (const file of readdirSync(downloads).filter(file => file.endsWith('.deb'))) {
    const { stdout } = spawnSync('dpkg-deb', ['--fsys-tarfile', file], { cwd: downloads, maxBuffer: 1 << 30 })
    // 200 MB of time zones of other years are nobody's need.
    spawnSync('tar', ['-x', '-C', folder, '--exclude=*.json'], { input: stdout })
  }
  rmSync(downloads, { recursive: true })
}
