// The checks and the test suites, run one after another.
import { existsSync, mkdirSync, rmSync, statfsSync } from 'node:fs'
import { freemem } from 'node:os'
import { join } from 'node:path'
import { compiled } from './builds.mjs'
import { ensureBrowsers } from './chromium.mjs'
import { script } from './node.mjs'
import { ensureProxies } from './proxies.mjs'
import { missingOnPostgres } from './statements.mjs'
import { Failed, must, root, run, step, tools } from './steps.mjs'
import { readPlaywright, readVitest } from './test-summary.mjs'

/** The temporary folder of the tests: in memory if there is enough. PostgreSQL databases on a disk take several times as long. */
const scratch = () => {
  const [memory, gibibyte] = ['/dev/shm', 2 ** 30]
  if (process.env.TMPDIR !== undefined || !existsSync(memory)) return {}
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize > 3 * gibibyte && freemem() > 6 * gibibyte ? { TMPDIR: memory } : {}
}

/** Tests start the server and run its commands from the bundle, which the suites build first. It loads in a third of the time. */
const fromBundle = { GATEHOUSE_TEST_PROGRAM: 'bundle' }

/** By default, tsc checks on four threads. Each works out the types it needs for itself, which takes twice the processor time. */
const oneChecker = ['--checkers', '1']

/** Checks types, format, lint and import rules, and finds unused code. `background`: while the tests run. */
export const checkSources = (node, { background = false } = {}) => {
  const packages = [
    'packages/wire',
    'packages/language',
    'packages/conformance',
    'packages/mock',
    'packages/testing',
    'packages/ui',
    'packages/sign-in',
    'packages/portal',
    'packages/server',
    'e2e',
    'bench',
    'docs',
  ]
  const types = async () => {
    // Check every folder, even after a failure: a new case of a union affects several.
    const failed = []
    for (const folder of packages)
      if ((await run(node, script('typescript/bin/tsc', '-p', folder, ...oneChecker), { background })) !== 0) failed.push(folder)
    if (failed.length > 0) throw new Failed(`The type check of ${failed.join(', ')} failed; see above.`)
  }
  const others = async () => {
    await must('Biome', node, script('@biomejs/biome/bin/biome', 'ci', '--error-on-warnings', '.'), { background })
    await must('knip', node, script('knip/bin/knip.js'), { background })
  }
  return step('Checking types, format, lint, imports and unused code', () => Promise.all([types(), others()]))
}

const onSqlite = [
  'docs',
  'bench',
  'wire',
  'language',
  'mock',
  'testing',
  'ui',
  'sign-in',
  'portal',
  'server-src',
  'server-src-mocked',
  'server',
]

/** The Vitest projects of each suite, see vitest.config.ts. */
const projects = {
  check: onSqlite,
  short: [...onSqlite, 'server-on-postgres'],
  long: ['server-long', 'server-on-postgres-long', 'server-load', 'server-on-postgres-load'],
}

/** Where the server's tests record their SQL statements: `packages/server/test/support/record-statements.ts`. */
const statements = join(root, 'test-results/statements')

let proxies
/** Provides nginx, Caddy and Prometheus, once for all suites of a run. Returns their paths as variables. */
const proxiesFor = summary => (proxies ??= ensureProxies(tools, step, what => summary.missing.push(what)))

export const runVitest = async (node, summary, suite) => {
  const report = join(root, 'test-results/unit.json')
  rmSync(statements, { recursive: true, force: true })
  mkdirSync(statements, { recursive: true })
  const names = projects[suite].map(name => `--project=${name}`)
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const args = script('vitest/vitest.mjs', 'run', ...names, ...reporters)
  const env = {
    ...process.env,
    ...compiled,
    ...scratch(),
    ...fromBundle,
    // One load test restarts servers behind nginx.
    ...(suite === 'long' ? await proxiesFor(summary) : {}),
    GATEHOUSE_TEST_STATEMENTS: statements,
  }
  await step('Running unit and journey tests', () => summary.collect('unit and journey tests', report, node, args, readVitest, { env }))
  if (suite !== 'short') return
  for (const { by, shape, test } of missingOnPostgres(statements))
    summary.missing.push(`on PostgreSQL, a statement of ${by} that ran on SQLite in “${test}”: ${shape}`)
}

/**
 * Files for `npm run test:long` only: about every state of each page, all gallery scenes, host styles, bundlers, proxies, mail scanners,
 * the demo provider, the headless example, languages by keyboard, and forms without a script.
 */
const longBrowserFiles = [
  'demo-provider',
  'every-state',
  'gallery',
  'headless-factors',
  'host-page',
  'languages-by-keyboard',
  String.raw`protecting-[\w-]+`,
  'scanner',
  'styles-after-bundling',
  'without-script',
]
/** Browser tests for `npm run test:long` only: those tagged @long, and these files. */
const longBrowserTests = String.raw`@long|\b(${longBrowserFiles.join('|')})\.spec\.ts`

const browserTests = {
  all: [],
  short: ['--grep-invert', longBrowserTests],
  long: ['--grep', longBrowserTests, '--grep-invert', '@alone'],
  alone: ['--grep', '@alone', '--workers', '1'],
}

/**
 * `short` and `long` run a suite; `all` runs the tests that the arguments name. `alone` belongs to the long suite: its tests measure times,
 * so no other test runs beside them.
 */
export const runPlaywright = async (node, summary, suite, more = []) => {
  const report = join(root, 'test-results/e2e.json')
  const env = {
    ...process.env,
    ...compiled,
    ...scratch(),
    // `npm run e2e` builds no bundle, so that a run of a single test starts sooner.
    ...(suite === 'all' ? {} : fromBundle),
    // The short suite does not test proxies.
    ...(suite === 'short' ? {} : await proxiesFor(summary)),
    ...(await ensureBrowsers(node)),
    PLAYWRIGHT_JSON_OUTPUT_NAME: report,
  }
  const args = script('@playwright/test/cli.js', 'test', '--config', 'e2e', '--reporter=list,json', ...browserTests[suite], ...more)
  // The servers' hash threads have the lowest priority. Browsers with a higher one, four at a time, would delay them by seconds.
  const how = { env, background: true }
  return step('Running browser tests', () =>
    summary.collect(suite === 'alone' ? 'browser tests, alone' : 'browser tests', report, node, args, readPlaywright, how),
  )
}
