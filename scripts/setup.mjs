// Brings what is missing on a machine that has only git, Node 20 or later and npm, then does what was asked:
//   node scripts/setup.mjs start | dev | test | test:long | check | e2e | gallery | bench | cli
// Plain JavaScript without dependencies: it runs before anything is installed, on any Node from 20 on.
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

/** A step failed; the message says what to do. */
class Failed extends Error {}

const say = line => process.stderr.write(`${line}\n`)

/** Prints what is being done, and how long it took. */
const step = async (what, work) => {
  say(`  ${what} …`)
  const start = Date.now()
  const result = await work()
  say(`  ${what}: done in ${((Date.now() - start) / 1000).toFixed(1)} s`)
  return result
}

/** Runs a program to its end; its output goes where ours goes. */
const run = (program, args, options = {}) =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: root, stdio: ['ignore', 2, 2], ...options })
    child.on('error', reject)
    // Where the options ask for pipes, the output is shown only if the program fails.
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

/** Does the work only if it was not done before with the same ingredients. */
const onceFor = async (stampFile, ingredients, what, work) => {
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === ingredients) return
  await step(what, work)
  mkdirSync(dirname(stampFile), { recursive: true })
  writeFileSync(stampFile, ingredients)
}

/** npm under the given Node: npm leaves out what its own Node is too old for. */
const npm = (node, args) => {
  const cli = process.env.npm_execpath
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` }
  return cli?.endsWith('.js') ? [node, [cli, ...args], { env }] : ['npm', args, { env, shell: process.platform === 'win32' }]
}

const works = program => spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0

/** Since 24.9 a server may say which requests for another protocol it agrees to; an older one would agree to all. */
const isNewEnough = version => {
  const [major, minor] = version.split('.').map(Number)
  return major > 24 || (major === 24 && minor >= 9)
}

/** Path of a Node 24.9 or later: the one that runs us, or one from the npm package `node` in this project's own folder. */
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
    // Where npm runs no install scripts the package stays empty; what its script would fetch comes by itself, too.
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
    // Where NODE_ENV is production npm would leave out what the pages are built with.
    () => must('Installing packages', ...npm(node, ['ci', '--include=dev', '--loglevel=error'])),
  )

const filesUnder = folder =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath ?? entry.path, entry.name))
    .filter(file => !/[\\/](dist|node_modules)[\\/]/.test(file))
    .sort()

/** Builds a workspace out of its own files and those of the workspaces it takes in, if any of them has changed. */
const ensureBuilt = (node, what, workspace, others) => {
  const sources = [workspace, ...others].flatMap(name => filesUnder(join(root, 'packages', name)))
  return onceFor(
    join(root, 'packages', workspace, 'dist/.gatehouse-built'),
    hashOf(readFileSync(join(root, 'package-lock.json')), ...sources.flatMap(file => [file.slice(root.length), readFileSync(file)])),
    what,
    () => {
      const [program, args, options] = npm(node, ['run', '--silent', 'build', '--workspace', `packages/${workspace}`])
      // The bundler's warnings are for developers, who see them by `npm run build`.
      return must(what, program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
    },
  )
}

const ensurePages = node => ensureBuilt(node, 'Building the pages', 'portal', ['sign-in', 'ui', 'wire'])
const ensurePackage = node => ensureBuilt(node, 'Building the package', 'sign-in', ['ui', 'wire'])

/** What `npm pack` needs, by the name of the workspace. */
const builtPackages = {
  'sign-in': ensurePackage,
  wire: node => ensureBuilt(node, 'Building the package', 'wire', []),
}

/** Where Node keeps what it makes of our sources: without their types, and compiled. A start that has to make it anew takes twice the time and 25 MB more. */
const compiled = { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE || join(tools, 'compiled') }

const serverSource = join(root, 'packages/server/src')

/** Has Node make that of the server once, if anything has changed; what it made of older sources goes. */
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

/** Path of a Chromium: the one in CHROMIUM, the system's, or one brought now. */
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
      // Not every distribution that has the one has the other.
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

/** What the system tells about a process: its parent's ID and its command line. */
const lookUp = pid => {
  const { stdout } = spawnSync('ps', ['-o', 'ppid=,args=', '-p', String(pid)], { encoding: 'utf8' })
  const [, parent, command = ''] = /^\s*(\d+)\s+(.*)/.exec(stdout ?? '') ?? []
  return { parent: Number(parent), command }
}

/** The process ID of the npm that runs us, directly or in a shell. Not of what started npm: that may end and leave us running. */
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

/** Replaces this process with a program: it gets our input and signals, and its exit code is ours. */
const become = (node, args, env = {}) => {
  const child = spawn(node, args, { cwd: root, stdio: ['inherit', 'inherit', 'inherit', 'ipc'], env: { ...process.env, ...env } })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal))
  // npm runs us in a shell and passes no signal on to it. If the shell or npm is gone, the program has to end too.
  const parent = process.ppid
  const npm = findNpm()
  const watch = setInterval(() => {
    if (process.ppid === parent && (!npm || isAlive(npm))) return
    // Send it once: the program takes a second signal for an impatient user.
    clearInterval(watch)
    child.kill('SIGTERM')
  }, 250).unref()
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)))
}

const headlessShell = '/usr/bin/chromium-headless-shell'

/** Where the browser tests find Chromium, and its headless shell, if the system has one; a Chromium that somebody names is used for all. */
const ensureBrowsers = async node => {
  const CHROMIUM = await ensureBrowser(node)
  return { CHROMIUM, ...(!process.env.CHROMIUM && existsSync(headlessShell) && { CHROMIUM_HEADLESS_SHELL: headlessShell }) }
}

const script = (name, ...args) => [join(root, 'node_modules', name), ...args]

/** Where tests keep what they throw away: in memory, where there is plenty. On a disk each PostgreSQL database of a test costs several times as much. */
const scratch = () => {
  const [memory, gibibyte] = ['/dev/shm', 2 ** 30]
  if (process.env.TMPDIR !== undefined || !existsSync(memory)) return {}
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize > 3 * gibibyte && freemem() > 6 * gibibyte ? { TMPDIR: memory } : {}
}

/** Checks types, format, lint with the import table, and looks for unused code. */
const checkSources = node => {
  const packages = ['packages/wire', 'packages/ui', 'packages/sign-in', 'packages/portal', 'packages/server', 'e2e', 'bench', 'docs']
  const types = async () => {
    // Every folder, even after a failure: a new case of a union has places in several.
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

/** Vitest's projects of each suite, see vitest.config.ts. */
const projects = {
  check: ['docs', 'bench', 'wire', 'ui', 'sign-in', 'portal', 'server-rooms', 'server'],
  short: ['docs', 'bench', 'wire', 'ui', 'sign-in', 'portal', 'server-rooms', 'server', 'server-on-postgres'],
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

/** @param suite `short` or `long` runs the tests of that suite, `all` those that the arguments name */
const runPlaywright = async (node, summary, suite, more = []) => {
  const report = join(root, 'test-results/e2e.json')
  const env = {
    ...process.env,
    ...compiled,
    ...scratch(),
    // No test of the short suite needs a proxy.
    ...(suite === 'short' ? {} : await ensureProxies(tools, step, what => summary.missing.push(what))),
    ...(await ensureBrowsers(node)),
    PLAYWRIGHT_JSON_OUTPUT_NAME: report,
    GATEHOUSE_TEST_SUITE: suite,
  }
  const args = script('@playwright/test/cli.js', 'test', '--config', 'e2e', '--reporter=list,json', ...more)
  return step('Running browser tests', () => summary.collect('browser tests', report, node, args, readPlaywright, env))
}

/** The file behind each bench. */
const benches = {
  timing: 'timing',
  'forward-auth': 'forward-auth',
  administration: 'administration',
  server: 'server-peers',
  scale: 'scale',
  page: 'page',
}

/**
 * The young part of the heap is so many MB: with V8's 16 the burst of the start leaves 30 MB behind that an idle server never uses again. What it leaves
 * in the old part the server clears up itself, when it may.
 */
const lean = ['--max-semi-space-size=4', '--expose-gc']

/** How many parts of the heap malloc keeps for threads. With glibc's eight for each core a server at rest holds 15 MB more. */
const fewArenas = { MALLOC_ARENA_MAX: process.env.MALLOC_ARENA_MAX ?? '2' }

const main = async ([command, ...args]) => {
  const summary = createSummary({ root, run, say })
  const node = await ensureNode()
  await ensurePackages(node)
  // For files and names, also where there are few cores. Passwords have threads of their own; a bench hashes on these, one for each core.
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
      throw new Failed('Usage: node scripts/setup.mjs start | dev | test | test:long | check | e2e | gallery | bench | cli')
  }
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  say(`Gatehouse: ${error instanceof Failed ? error.message : error.stack}`)
  process.exit(1)
}
