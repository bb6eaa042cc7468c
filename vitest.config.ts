import { availableParallelism } from 'node:os'
import { defaultClientConditions, defaultServerConditions } from 'vite'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { pageTexts } from './packages/portal/build/texts.ts'

/** Files that run longer than their size suggests. Start them first, or the last worker runs them alone. */
const startFirst =
  /[\\/](walk|walk-[\w-]+|password-volume|import|upgrade|rule-model|kill|backup|rotate-key|rules-reload|redeem-once|outage-grace|readiness|mail-processes|mail-recipients|mutated-\w+|several-servers|credential-table|planted-identity|slow-clients|start|stop|cli|doctor)\.(long\.)?test\.ts$/

class SlowFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const sorted = await super.sort(files)
    return [...sorted.filter(file => startFirst.test(file.moduleId)), ...sorted.filter(file => !startFirst.test(file.moduleId))]
  }
}

/** Tests for `npm run test:long` only: large amounts of data, many crashes, several servers under load. */
const long = '**/*.long.test.ts'
/** Tests for `npm run test:long` that measure a server under load. They run one at a time, after all others. */
const load = '**/*.load.test.ts'
const alone = (groupOrder: number) => ({ fileParallelism: false, sequence: { groupOrder } })

/**
 * Files about a process, a configuration, a header, a volume or an external server rather than queries. `npm test` runs them on
 * SQLite only, `npm run test:long` also on PostgreSQL.
 */
const independentOfDatabase = [
  'backup',
  'browser-rules',
  'call-fields',
  'check-cookie',
  'cli',
  'credential-table',
  'demo-provider',
  'doctor',
  'doctor-database',
  'doctor-gate',
  'hostile-input',
  'kill',
  'mail-address',
  'mail-quotas',
  'mail-failures',
  'mail-processes',
  'mail-rates',
  'mail-recipients',
  'mailbox',
  'metrics',
  'mutated-assertions',
  'mutated-registrations',
  'network-rates',
  'origin-check',
  'plain-account',
  'plain-forms',
  'plain-forms-refused',
  'protected-address',
  'provider-fetch',
  'public-path',
  'rates',
  'return-address',
  'return-loop',
  'rotate-key',
  'rules-reload',
  'routes',
  'shown-providers',
  'slow-clients',
  'smtp-transport',
  'sockets',
  'sso',
  'sso-answers',
  'sso-failures',
  'sso-outage',
  'start',
  'stop',
  'untrusted-proxy',
].map(name => `test/**/${name}.test.ts`)

/**
 * Files whose statements other files also run. `npm test` runs them on SQLite only, `npm run test:long` also on PostgreSQL. Every statement
 * of a store runs on both in `npm test`, and so does every file about concurrency or faults: see decision 082.
 */
const repeatingStatements = [
  'brand',
  'factor-reset-by-ticket',
  'factor-reset-other-browser',
  'factor-set-up',
  'forward-auth',
  'hand-over',
  'languages',
  'mailed-password-replacement',
  'one-time-link',
  'own-account',
  'passkey-policy',
  'passkey-records',
  'planted-identity',
  'planted-password',
  'push',
  'push-answers',
  'push-proofs',
  'recovery',
  'recovery-codes',
  'second-factor',
  'sessions',
  'skip-refused',
  'sso-identities',
  'sso-second-factor',
  'step-up',
  'totp-codes',
  'user-deletion',
  'vouched-password',
  'without-password',
].map(name => `test/**/${name}.test.ts`)

/** One run of these files is enough: they need no database, or `walk.long` takes their random walks on PostgreSQL. */
const onceIsEnough = 'test/**/{walk-*,conformance,mail-kinds,network-flood,password-volume,package,rule-model,systemd}.*'

/** Node loads the modules, as it does for `npm start`. Vite would transform each one for every project. The files here mock no module. */
const native = { experimental: { viteModuleRunner: false, nodeLoader: false } }
/** Test files that mock a module. Vite must load them, each in a separate process. */
const mocking = ['src/cli/import/import.test.ts', 'src/keys/secrets.test.ts']
/** Test files for stateless functions share loaded modules. Loading the modules again would take longer than most of these tests. */
const pure = { ...native, isolate: false }

/**
 * Tests of pages share workers. Each file has its own context and DOM there, so that loaded modules stay separate. A process for each file
 * takes twice the processor time.
 */
const page = { pool: 'vmThreads', setupFiles: [`${import.meta.dirname}/packages/ui/src/testing/node-globals.ts`] } as const

/**
 * Journeys are slow: each starts a server, and password hashing is slow by design. Tests wait as long as background work takes. A
 * test that requires speed states the time.
 */
const server = {
  ...native,
  root: 'packages/server',
  testTimeout: 60_000,
  expect: { poll: { timeout: 20_000 } },
  // Reuse loaded modules, which saves a third of the time. The server's modules keep no state except the thread that rates passwords.
  isolate: false,
  setupFiles: `${import.meta.dirname}/packages/server/test/support/record-statements.ts`,
}
const onSqlite = {
  ...server,
  provide: { postgres: '' },
  globalSetup: `${import.meta.dirname}/packages/server/test/support/on-sqlite.ts`,
}
const onPostgres = { ...server, globalSetup: `${import.meta.dirname}/packages/server/test/support/on-postgres.ts` }

export default defineConfig({
  test: {
    // More workers than cores: journeys mostly wait for hash threads, server starts and clocks.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: SlowFilesFirst },
    projects: [
      { test: { ...pure, name: 'docs', root: 'docs', include: ['*.test.ts'] } },
      { test: { ...pure, name: 'bench', root: 'bench', include: ['*.test.ts'] } },
      { test: { ...pure, name: 'wire', root: 'packages/wire', include: ['{src,test}/**/*.test.ts'] } },
      { test: { name: 'mock', root: 'packages/mock', include: ['test/**/*.test.ts'] } },
      {
        test: {
          name: 'testing',
          root: 'packages/testing',
          include: ['test/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          // Start the server from the bundle if the other tests do, see packages/server/test/support/program.ts.
          execArgv: process.env.GATEHOUSE_TEST_PROGRAM === 'bundle' ? ['--conditions=gatehouse-bundle'] : [],
        },
      },
      {
        test: {
          ...pure,
          name: 'language',
          // Read the English texts from the packages' sources, not from their builds.
          execArgv: ['--conditions=gatehouse-source'],
          root: 'packages/language',
          include: ['{src,build}/**/*.test.ts'],
        },
      },
      { test: { ...page, name: 'ui', root: 'packages/ui', include: ['src/**/*.test.{ts,tsx}'] } },
      { plugins: [pageTexts], test: { ...page, name: 'sign-in', root: 'packages/sign-in', include: ['src/**/*.test.{ts,tsx}'] } },
      {
        plugins: [pageTexts],
        // The widget's sources, not its last build.
        resolve: { conditions: ['gatehouse-source', ...defaultClientConditions] },
        ssr: { resolve: { conditions: ['gatehouse-source', ...defaultServerConditions] } },
        test: {
          ...page,
          name: 'portal',
          root: 'packages/portal',
          include: ['src/**/*.test.{ts,tsx}'],
          setupFiles: [
            ...page.setupFiles,
            `${import.meta.dirname}/packages/portal/src/testing/own-channels.ts`,
            `${import.meta.dirname}/packages/portal/src/testing/speak-english.ts`,
          ],
        },
      },
      {
        test: {
          ...pure,
          name: 'server-src',
          root: 'packages/server',
          include: ['src/**/*.test.ts'],
          exclude: mocking,
          testTimeout: 60_000,
        },
      },
      { test: { name: 'server-src-mocked', root: 'packages/server', include: mocking, testTimeout: 60_000 } },
      { test: { ...onSqlite, name: 'server', include: ['test/**/*.test.ts'], exclude: [long, load] } },
      {
        test: {
          ...onPostgres,
          name: 'server-on-postgres',
          include: ['test/**/*.test.ts'],
          exclude: [long, load, onceIsEnough, ...independentOfDatabase, ...repeatingStatements],
        },
      },
      { test: { ...onSqlite, name: 'server-long', include: ['test/**/*.long.test.ts'] } },
      {
        test: {
          ...onPostgres,
          name: 'server-on-postgres-long',
          include: ['test/**/*.long.test.ts', ...independentOfDatabase, ...repeatingStatements],
          exclude: [onceIsEnough],
        },
      },
      { test: { ...onSqlite, ...alone(1), name: 'server-load', include: [`test/${load}`] } },
      { test: { ...onPostgres, ...alone(2), name: 'server-on-postgres-load', include: [`test/${load}`] } },
    ],
  },
})
