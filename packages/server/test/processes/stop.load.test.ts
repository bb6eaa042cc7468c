import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { keepConnection, startToStop } from './stopping.ts'

/** Keeps every core busy with other processes, so a stopping server waits for the CPU. */
const occupyCores = (programs: number) => {
  const busy = Array.from({ length: programs }, () => spawn(process.execPath, ['-e', 'for (;;);']))
  onTestFinished(() => {
    for (const child of busy) child.kill('SIGKILL')
  })
}

/**
 * After the server last checks for new connections and before it closes the port, other processes may run. The kernel resets connections
 * that arrive meanwhile. With three times as many busy programs as cores, that affects about one restart in twenty; without the check,
 * every restart. The test opens fewer connections on an idle machine, so that they do not keep it busy.
 */
test.each([
  ['no restart of a server on an idle machine resets', 0, 3, 0, 500],
  ['at most three of ten restarts of a server on a busy machine reset', 3 * availableParallelism(), 10, 3, 100],
] as const)(
  'RX-7: %s a connection, and no other request fails, while clients keep their connections',
  async (_, programs, restarts, most, pause) => {
    const { start, port } = await startToStop({ GATEHOUSE_DRAIN: '1' })
    let server = await start()
    occupyCores(programs)
    let done = false
    let answered = 0
    let restart = 0
    const withReset = new Set<number>()
    const failed: unknown[] = []
    const fail = async ({ code }: { code?: string }) => {
      if (code === 'ECONNREFUSED') await setTimeout(20)
      else if (code === 'ECONNRESET') withReset.add(restart)
      else failed.push(code)
    }
    /** Like nginx: retries if no connection could be made, and never after sending a request. */
    const call = async () => {
      const { ask } = keepConnection(port)
      while (!done) {
        await ask('/healthz').then(([status]) => void (status === 200 ? answered++ : failed.push(status)), fail)
        await setTimeout(Math.random() * pause)
      }
    }
    const calls = Promise.all(Array.from({ length: 40 }, call))
    for (; restart < restarts; restart++) {
      await setTimeout(500)
      server.kill('SIGTERM')
      expect(await server.ended).toBe(0)
      server = await start()
    }
    done = true
    await calls
    expect(failed).toEqual([])
    expect(withReset.size).toBeLessThanOrEqual(most)
    expect(answered).toBeGreaterThan(400)
  },
)
