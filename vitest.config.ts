import { availableParallelism } from 'node:os'
import { defaultClientConditions, defaultServerConditions } from 'vite'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Those that take a minute, however short they are to read: begun last, each would run beside nothing. Vitest goes by the size of a file where it
 * has not seen it run.
 */
const long = /[\\/](kill|rotate-key|redeem-once|mail-trouble)\.test\.ts$/

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const sorted = await super.sort(files)
    return [...sorted.filter(file => long.test(file.moduleId)), ...sorted.filter(file => !long.test(file.moduleId))]
  }
}

/**
 * Journeys take their time: each has a server of its own, and sign-ins are made to cost. What a server does by and by, without
 * being asked, is waited for as long as it takes; where it must come soon, the test says how soon.
 */
const server = {
  root: 'packages/server',
  testTimeout: 60_000,
  expect: { poll: { timeout: 20_000 } },
  // No module of the server keeps state, and no test puts another in its place: to load them anew for each file is a third of the work.
  isolate: false,
}

export default defineConfig({
  test: {
    // Journeys wait as much as they work: for hashes in other threads, for servers to start, for clocks.
    maxWorkers: Math.max(3, availableParallelism() + 1),
    sequence: { sequencer: LongFirst },
    projects: [
      { test: { name: 'docs', root: 'docs', include: ['*.test.ts'] } },
      { test: { name: 'bench', root: 'bench', include: ['*.test.ts'] } },
      { test: { name: 'wire', root: 'packages/wire', include: ['{src,test}/**/*.test.ts'] } },
      { test: { name: 'sign-in', root: 'packages/sign-in', include: ['src/**/*.test.{ts,tsx}'] } },
      {
        // The widget as its source, not as what was last built of it.
        resolve: { conditions: ['gatehouse-source', ...defaultClientConditions] },
        ssr: { resolve: { conditions: ['gatehouse-source', ...defaultServerConditions] } },
        test: { name: 'portal', root: 'packages/portal', include: ['src/**/*.test.{ts,tsx}'] },
      },
      { test: { name: 'server-rooms', root: 'packages/server', include: ['src/**/*.test.ts'], testTimeout: 60_000 } },
      {
        test: {
          ...server,
          name: 'server',
          include: ['test/**/*.test.ts'],
          provide: { postgres: '' },
          globalSetup: `${import.meta.dirname}/packages/server/test/on-sqlite.ts`,
        },
      },
      {
        test: {
          ...server,
          name: 'server-on-postgres',
          include: ['test/**/*.test.ts'],
          globalSetup: `${import.meta.dirname}/packages/server/test/on-postgres.ts`,
        },
      },
    ],
  },
})
