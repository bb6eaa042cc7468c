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

test.each([
  ['an idle machine', 0, 3],
  ['a busy machine', 3 * availableParallelism(), 10],
] as const)(
  'RX-7: no request fails while a server on %s is restarted repeatedly and clients keep their connections',
  async (_, programs, restarts) => {
    const { start, port } = await startToStop({ GATEHOUSE_DRAIN: '1' })
    let server = await start()
    occupyCores(programs)
    let done = false
    let answered = 0
    const failed: unknown[] = []
    /** Like nginx: retries if no connection could be made, and never after sending a request. */
    const call = async () => {
      const { ask } = keepConnection(port)
      while (!done) {
        await ask('/healthz').then(
          ([status]) => void (status === 200 ? answered++ : failed.push(status)),
          error => (error.code === 'ECONNREFUSED' ? setTimeout(20) : void failed.push(error.code)),
        )
        await setTimeout(Math.random() * 500)
      }
    }
    const calls = Promise.all(Array.from({ length: 40 }, call))
    for (let n = 0; n < restarts; n++) {
      await setTimeout(500)
      server.kill('SIGTERM')
      expect(await server.ended).toBe(0)
      server = await start()
    }
    done = true
    await calls
    expect(failed).toEqual([])
    expect(answered).toBeGreaterThan(400)
  },
)
