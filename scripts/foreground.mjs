// Runs a program in place of the set-up script, and ends it when npm ends.
import { spawn, spawnSync } from 'node:child_process'
import { root } from './steps.mjs'

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
export const become = (node, args, env = {}) => {
  const child = spawn(node, args, { cwd: root, stdio: ['inherit', 'inherit', 'inherit', 'ipc'], env: { ...process.env, ...env } })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal))
  // npm runs this script in a shell and forwards no signal to it. If the shell or npm ends, the program must end too.
  const parent = process.ppid
  const npm = findNpm()
  const watch = setInterval(() => {
    if (process.ppid === parent && (!npm || isAlive(npm))) return
    // Send the signal once: the program takes a second one as an impatient user's second Ctrl+C.
    clearInterval(watch)
    child.kill('SIGTERM')
  }, 250).unref()
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)))
}
