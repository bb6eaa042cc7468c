const { availableParallelism } = require('node:os')
const { join } = require('node:path')

const args = process.argv.slice(2)

/** V8's young generation in MB, and permission to collect garbage after the start. An idle server then takes 30 MB less. */
const lean = ['--max-semi-space-size=4', '--expose-gc']

/** Threads for files and DNS besides those for passwords, and few malloc arenas: glibc's default takes 15 MB more. */
const leanEnvironment = {
  UV_THREADPOOL_SIZE: String(availableParallelism() + 4),
  MALLOC_ARENA_MAX: '2',
}

// These take effect only before Node starts, so the server replaces this process. Its process ID stays the one that a service manager knows.
if (args[0] === 'start' && process.execve && !process.execArgv.includes(lean[0]))
  process.execve(process.execPath, [process.execPath, ...lean, ...process.execArgv, join(__dirname, 'gatehouse.cjs'), ...args], {
    ...leanEnvironment,
    ...process.env,
  })
else import('../server/gatehouse.js')
