import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Settings } from './settings.ts'

const main = join(import.meta.dirname, '../../server/src/main.ts')

/**
 * The real server, behind the front.
 * @param port where it listens on this machine
 * @param pages folder with the pages and the render function it loads
 */
export const createServerProcess = (settings: Settings, port: number, pages: string) => {
  let child: ChildProcess | undefined
  let starts = 0

  const env = {
    ...process.env,
    NODE_ENV: 'development',
    GATEHOUSE_PUBLIC_URL: settings.publicUrl,
    GATEHOUSE_LISTEN: `127.0.0.1:${port}`,
    // The front is the only peer, and appends the address of its own peer.
    GATEHOUSE_TRUSTED_PROXIES: [settings.trustedProxies, '127.0.0.1'].filter(Boolean).join(','),
    // If the front is killed, the server must not outlive it by the drain time.
    GATEHOUSE_DRAIN: '0',
  }

  /**
   * Resolves to true once the server answers, or to false if it exits first, for example because of
   * a syntax error.
   */
  const start = async (): Promise<boolean> => {
    const started = spawn(process.execPath, [main, '--demo-provider', `--pages=${pages}`], {
      env,
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    })
    child = started
    // Print the greeting only once. The caller reports later starts in one line.
    if (starts++ === 0) started.stdout?.pipe(process.stdout, { end: false })
    else started.stdout?.resume()
    while (isRunning(started)) {
      if (await accepts(port)) return true
      await setTimeout(20)
    }
    return false
  }

  /**
   * Sends SIGINT, which ends the server immediately. The next server can start only then, because
   * each server locks the SQLite database.
   */
  const stop = async () => {
    const running = child
    if (!running || !isRunning(running)) return
    const exited = once(running, 'exit')
    running.kill('SIGINT')
    const forced = setTimeout(6000, undefined, { ref: false }).then(() => running.kill('SIGKILL'))
    await Promise.race([exited, forced.then(() => exited)])
  }

  return { start, stop }
}

const isRunning = (child: ChildProcess) => child.exitCode === null && child.signalCode === null

const accepts = (port: number) =>
  new Promise<boolean>(resolve => {
    const socket = connect({ port, host: '127.0.0.1' })
    socket.on('connect', () => resolve(true))
    socket.on('error', () => resolve(false))
    socket.on('close', () => resolve(false))
    socket.on('connect', () => socket.end())
  })
