// Prepares a machine that has only git, Node 20 or later and npm, then runs the requested command:
// node scripts/setup.mjs start | dev | test | test:long | check | e2e | gallery | brand | bench | cli
// Plain JavaScript without dependencies, because it runs before anything is installed, on Node 20 and later.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { availableParallelism, freemem } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureProxies } from './proxies.mjs'
import { createSummary, readPlaywright, readVitest } from './test-summary.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const tools = join(root, '.tools')
const node24 = '24.21.0'

/** A failed step. The message says what to do. */
class Failed extends Error {}

const say = line => process.stderr.write(`${line}\n`)

/** Prints a step and its duration. */
const step = async (what, work) => {
  say(`  ${what} …`)
  const start = Date.now()
  const result = await work()
  say(`  ${what}: done in ${((Date.now() - start) / 1000).toFixed(1)} s`)
  return result
}

/** Runs a program until it ends. Its output goes to ours. */
const run = (program, args, options = {}) =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: root, stdio: ['ignore', 2, 2], ...options })
    child.on('error', reject)
    // If the options ask for pipes, show the output only if the program fails.
    const chunks = []
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', chunk => chunks.push(chunk))
    child.on('close', (code, signal) => {
      if (code !== 0) process.stderr.write(Buffer.concat(chunks))
      resolve(code ?? (signal ? 1 : 0))
    })
  })

const must = async (what, ...command) => {
  const code = await run(...command)
  if (code !== 0) throw new Failed(`${what} failed (exit ${code}); see above.`)
}

const hashOf = (...parts) => parts.reduce((hash, part) => hash.update(part).update('\0'), createHash('sha256')).digest('hex')

/** Does the work unless it has already been done with the same inputs. */
const onceFor = async (stampFile, ingredients, what, work) => {
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === ingredients) return
  await step(what, work)
  mkdirSync(dirname(stampFile), { recursive: true })
  writeFileSync(stampFile, ingredients)
}

/** Runs npm with the given Node. npm omits packages that its own Node is too old for. */
const npm = (node, args) => {
  const cli = process.env.npm_execpath
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` }
  return cli?.endsWith('.js') ? [node, [cli, ...args], { env }] : ['npm', args, { env, shell: process.platform === 'win32' }]
}

const works = program => spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0

/** From Node 24.9 on, a server can choose which protocol upgrades it accepts. Older versions accept all. */
const isNewEnough = version => {
  const [major, minor] = version.split('.').map(Number)
  return major > 24 || (major === 24 && minor >= 9)
}

/** The path of Node 24.9 or later: the current one, or one from the npm package `node` in this project's folder. */
const ensureNode = async () => {
  if (isNewEnough(process.versions.node)) return process.execPath
  const inPackage = name => join(tools, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  const platform = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
  const found = () => [inPackage('node'), inPackage(platform)].find(works)
  const before = found()
  if (before) return before
  mkdirSync(tools, { recursive: true })
  writeFileSync(join(tools, 'package.json'), '{ "private": true }\n')
  const install = name =>
    run(...npm(process.execPath, ['install', '--prefix', tools, '--no-save', '--loglevel=error', `${name}@${node24}`]))
  await step(`Downloading Node ${node24} (found ${process.versions.node}, need 24.9 or later)`, async () => {
    await install('node')
    // If npm runs no install scripts, the package stays empty. The program that the script would download also has a package of its own.
    if (!found()) await install(platform)
  })
  const node = found()
  if (!node) throw new Failed(`npm could not install Node ${node24}. Install Node 24.9 or later yourself and run this command again.`)
  return node
}

const ensurePackages = node =>
  onceFor(
    join(root, 'node_modules', '.gatehouse-packages'),
    hashOf(readFileSync(join(root, 'package-lock.json')), spawnSync(node, ['--version']).stdout),
    'Installing packages',
    // With NODE_ENV=production, npm would omit the build tools.
    () => must('Installing packages', ...npm(node, ['ci', '--include=dev', '--loglevel=error'])),
  )

const filesUnder = folder =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath ?? entry.path, entry.name))
    .filter(file => !/[\\/](dist|node_modules)[\\/]/.test(file))
    .sort()

/** Builds a workspace if its own files, or those of the workspaces it bundles, have changed. */
const ensureBuilt = (node, what, workspace, others) => {
  const sources = [workspace, ...others].flatMap(name => filesUnder(join(root, 'packages', name)))
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

const ensurePages = node => ensureBuilt(node, 'Building the pages', 'portal', ['sign-in', 'ui', 'wire'])
const ensurePackage = node => ensureBuilt(node, 'Building the package', 'sign-in', ['ui', 'wire'])

/** What each workspace needs for `npm pack`. */
const builtPackages = {
  'sign-in': ensurePackage,
  wire: node => ensureBuilt(node, 'Building the package', 'wire', []),
}

/** Node's compile cache for our sources. Without it, a start takes twice the time and 25 MB more. */
const compiled = { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE || join(tools, 'compiled') }

const serverSource = join(root, 'packages/server/src')

/** Fills the cache for the server's sources after a change, and removes the old one. */
const ensureCompiled = node => {
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

const browsers = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** The path of Chromium: CHROMIUM, the system's, or a download. */
const ensureBrowser = async node => {
  const found = () => [process.env.CHROMIUM, ...browsers].find(path => path && existsSync(path))
  const before = found()
  if (before) return before
  await step('Downloading Chromium for the browser tests', async () => {
    if (existsSync('/usr/bin/apt-get')) {
      const sudo = process.getuid?.() === 0 ? [] : ['sudo', '-n']
      const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
      const apt = (...args) => run([...sudo, 'apt-get'][0], [...sudo, 'apt-get', ...args].slice(1), { env })
      await apt('update', '-qq')
      await apt('install', '-y', '-qq', '--no-install-recommends', 'chromium')
      // Some distributions lack one of these packages.
      if (found()) await apt('install', '-y', '-qq', '--no-install-recommends', 'chromium-headless-shell')
    }
    if (!found()) await run(node, [join(root, 'node_modules/playwright-core/cli.js'), 'install', 'chromium'])
  })
  const brought =
    found() ??
    spawnSync(node, ['-e', "process.stdout.write(require('playwright-core').chromium.executablePath())"], { cwd: root }).stdout?.toString()
  if (brought && existsSync(brought)) return brought
  throw new Failed('The browser tests need Chromium. Install it, or give its path: CHROMIUM=/path/to/chromium npm test')
}

/** The parent's process ID and the command line of a process. */
const lookUp = pid => {
  const { stdout } = spawnSync('ps', ['-o', 'ppid=,args=', '-p', String(pid)], { encoding: 'utf8' })
  const [, parent, command = ''] = /^\s*(\d+)\s+(.*)/.exec(stdout ?? '') ?? []
  return { parent: Number(parent), command }
}

/** The process ID of the npm that runs this script, directly or in a shell. Not that of npm's parent, which may end while we run. */
const findNpm = () => {
  const { parent, command } = lookUp(process.ppid)
  if (/^npm\b/.test(command)) return process.ppid
  return parent && /^npm\b/.test(lookUp(parent).command) ? parent : undefined
}

const isAlive = pid => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error.code !== 'ESRCH'
  }
}

/** Runs a program in our place: it gets our input and signals, and we exit with its code. */
const become = (node, args, env = {}) => {
  const child = spawn(node, args, { cwd: root, stdio: ['inherit', 'inherit', 'inherit', 'ipc'], env: { ...process.env, ...env } })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal))
  // npm runs this script in a shell and forwards no signal to it. If the shell or npm ends, the program must end too.
  const parent = process.ppid
  const npm = findNpm()
  const watch = setInterval(() => {
    if (process.ppid === parent && (!npm || isAlive(npm))) return
    // Send it once: the program treats a second signal as an impatient user's.
    clearInterval(watch)
    child.kill('SIGTERM')
  }, 250).unref()
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)))
}

const headlessShell = '/usr/bin/chromium-headless-shell'

/** Paths of Chromium and its headless shell for the browser tests. CHROMIUM replaces both. */
const ensureBrowsers = async node => {
  const CHROMIUM = await ensureBrowser(node)
  return { CHROMIUM, ...(!process.env.CHROMIUM && existsSync(headlessShell) && { CHROMIUM_HEADLESS_SHELL: headlessShell }) }
}

const script = (name, ...args) => [join(root, 'node_modules', name), ...args]

/** The temporary folder of the tests: in memory if there is enough. PostgreSQL databases on a disk take several times as long. */
const scratch = () => {
  const [memory, gibibyte] = ['/dev/shm', 2 ** 30]
  if (process.env.TMPDIR !== undefined || !existsSync(memory)) return {}
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize > 3 * gibibyte && freemem() > 6 * gibibyte ? { TMPDIR: memory } : {}
}

/** Checks types, format, lint and import rules, and finds unused code. */
const checkSources = node => {
  const packages = ['packages/wire', 'packages/ui', 'packages/sign-in', 'packages/portal', 'packages/server', 'e2e', 'bench', 'docs']
  const types = async () => {
    // Check every folder, even after a failure: a new case of a union affects several.
    const failed = []
    for (const folder of packages) if ((await run(node, script('typescript/bin/tsc', '-p', folder))) !== 0) failed.push(folder)
    if (failed.length > 0) throw new Failed(`The type check of ${failed.join(', ')} failed; see above.`)
  }
  const rest = async () => {
    await must('Biome', node, script('@biomejs/biome/bin/biome', 'ci', '--error-on-warnings', '.'))
    await must('knip', node, script('knip/bin/knip.js'))
  }
  return step('Checking types, format, lint, imports and unused code', () => Promise.all([types(), rest()]))
}

/** The Vitest projects of each suite, see vitest.config.ts. */
const projects = {
  check: ['docs', 'bench', 'wire', 'ui', 'sign-in', 'portal', 'server-src', 'server'],
  short: ['docs', 'bench', 'wire', 'ui', 'sign-in', 'portal', 'server-src', 'server', 'server-on-postgres'],
  long: ['server-long', 'server-on-postgres-long', 'server-load', 'server-on-postgres-load'],
}

const runVitest = (node, summary, suite) => {
  const report = join(root, 'test-results/unit.json')
  const names = projects[suite].map(name => `--project=${name}`)
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const args = script('vitest/vitest.mjs', 'run', ...names, ...reporters)
  return step('Running unit and journey tests', () =>
    summary.collect('unit and journey tests', report, node, args, readVitest, { ...process.env, ...compiled, ...scratch() }),
  )
}

/** `short` and `long` run a suite; `all` runs the tests that the arguments name. */
const runPlaywright = async (node, summary, suite, more = []) => {
  const report = join(root, 'test-results/e2e.json')
  const env = {
    ...process.env,
    ...compiled,
    ...scratch(),
    // The short suite does not test proxies.
    ...(suite === 'short' ? {} : await ensureProxies(tools, step, what => summary.missing.push(what))),
    ...(await ensureBrowsers(node)),
    PLAYWRIGHT_JSON_OUTPUT_NAME: report,
    GATEHOUSE_TEST_SUITE: suite,
  }
  const args = script('@playwright/test/cli.js', 'test', '--config', 'e2e', '--reporter=list,json', ...more)
  return step('Running browser tests', () => summary.collect('browser tests', report, node, args, readPlaywright, env))
}

/** The file of each benchmark. */
const benches = {
  timing: 'timing',
  'forward-auth': 'forward-auth',
  administration: 'administration',
  server: 'server-peers',
  scale: 'scale',
  page: 'page',
}

/**
 * The size of V8's young generation in MB. With the default of 16, a start leaves 30 MB that an idle server never uses again. The
 * server itself collects garbage in the old generation when idle.
 */
const lean = ['--max-semi-space-size=4', '--expose-gc']

/** The number of malloc arenas. With glibc's default of eight per core, an idle server uses 15 MB more. */
const fewArenas = { MALLOC_ARENA_MAX: process.env.MALLOC_ARENA_MAX ?? '2' }

const main = async ([command, ...args]) => {
  const summary = createSummary({ root, run, say })
  const node = await ensureNode()
  await ensurePackages(node)
  // For file access and DNS on machines with few cores. Passwords have their own threads; benchmarks hash on these, one per core.
  const threads = { UV_THREADPOOL_SIZE: process.env.UV_THREADPOOL_SIZE ?? String(availableParallelism() + 4) }
  switch (command) {
    case 'start':
      await ensurePages(node)
      await ensureCompiled(node)
      return become(node, [...lean, join(serverSource, 'main.ts'), '--demo-provider'], { ...threads, ...fewArenas, ...compiled })
    case 'dev':
      return become(node, [join(root, 'packages/portal/dev/dev.ts')], { ...threads, ...compiled })
    case 'cli':
      return become(node, [join(serverSource, 'cli/cli.ts'), ...args], compiled)
    case 'check':
      await ensurePages(node)
      await ensureCompiled(node)
      await checkSources(node)
      await runVitest(node, summary, 'check')
      return summary.close()
    case 'e2e':
      await ensurePages(node)
      await ensureCompiled(node)
      await ensurePackage(node)
      await runPlaywright(node, summary, 'all', args)
      return summary.close()
    case 'package': {
      const build = builtPackages[args[0]]
      if (!build) throw new Failed('Usage: node scripts/setup.mjs package sign-in | wire')
      return build(node)
    }
    case 'gallery':
      return become(node, [...script('vite/bin/vite.js', 'packages/portal/gallery'), ...args])
    case 'brand': {
      if (args[0] !== 'preview') throw new Failed('Usage: npm run brand -- preview [options of Vite]')
      await ensurePages(node)
      const folder = join(tools, 'brand-preview')
      rmSync(folder, { recursive: true, force: true })
      if ((await run(node, [join(serverSource, 'cli/brand-preview.ts'), folder])) !== 0) process.exit(1)
      const gallery = [...script('vite/bin/vite.js', 'packages/portal/gallery'), ...args.slice(1)]
      return become(node, gallery, { GALLERY_BRAND: folder })
    }
    case 'bench': {
      const [bench, ...more] = args
      if (!Object.hasOwn(benches, bench ?? ''))
        throw new Failed(`Usage: npm run bench -- ${Object.keys(benches).join(' | ')} [arguments, see bench/README.md]`)
      await ensurePages(node)
      await ensureCompiled(node)
      const browser = bench === 'page' ? { CHROMIUM: await ensureBrowser(node) } : {}
      return become(node, [join(root, `bench/${benches[bench]}.ts`), ...more], { ...threads, ...compiled, ...browser })
    }
    case 'test':
    case 'test:long': {
      const suite = command === 'test' ? 'short' : 'long'
      await ensurePages(node)
      await ensureCompiled(node)
      await ensurePackage(node)
      if (suite === 'short') await checkSources(node)
      await runVitest(node, summary, suite)
      await runPlaywright(node, summary, suite)
      return summary.close()
    }
    default:
      throw new Failed('Usage: node scripts/setup.mjs start | dev | test | test:long | check | e2e | gallery | brand | bench | cli')
  }
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  say(`Gatehouse: ${error instanceof Failed ? error.message : error.stack}`)
  process.exit(1)
}
