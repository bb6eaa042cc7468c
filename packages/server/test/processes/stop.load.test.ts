import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { keepConnection, startToStop } from './stopping.ts'

/** Keeps every core busy with other programs, so that a stopping server waits for the processor. */
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
  'RX-7: no request fails while a server is restarted again and again on %s and clients keep their connections',
  async (_, programs, restarts) => {
    const { start, port } = await startToStop({ GATEHOUSE_DRAIN: '1' })
    let server = await start()
    occupyCores(programs)
    let done = false
    let answered = 0
    const failed: unknown[] = []
    /** As nginx does: tries again where no connection could be made, and never after a request was sent. */
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
