const { availableParallelism } = require('node:os')
const { join } = require('node:path')

const args = process.argv.slice(2)

/**
 * Limits V8's young generation, whose memory an idle server never uses again, and lets the server collect garbage after its start. One
 * thread alone collects the young generation: a few MB are not worth waking others.
 */
const lean = ['--max-semi-space-size=8', '--no-parallel-scavenge', '--expose-gc']

/** The size of libuv's thread pool, for files and DNS among others. Few malloc arenas: glibc's default takes 15 MB more. */
const leanEnvironment = {
  UV_THREADPOOL_SIZE: String(availableParallelism() + 4),
  MALLOC_ARENA_MAX: '2',
}

// These settings take effect only when Node starts, so this process replaces itself with a new Node. `execve` keeps the process ID, which a
// service manager knows.
if (args[0] === 'start' && process.execve && !process.execArgv.includes(lean[0]))
  process.execve(process.execPath, [process.execPath, ...lean, ...process.execArgv, join(__dirname, 'gatehouse.cjs'), ...args], {
    ...leanEnvironment,
    ...process.env,
  })
else import('../server/gatehouse.js')
