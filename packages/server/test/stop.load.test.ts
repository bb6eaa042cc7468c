import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { keepConnection, startToStop } from './stopping.ts'

test('RX-7: no request fails while a server is restarted again and again and clients keep their connections', async () => {
  const { start, port } = await startToStop({ GATEHOUSE_DRAIN: '1' })
  let server = await start()
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
  for (let n = 0; n < 3; n++) {
    await setTimeout(500)
    server.kill('SIGTERM')
    expect(await server.ended).toBe(0)
    server = await start()
  }
  done = true
  await calls
  expect(failed).toEqual([])
  expect(answered).toBeGreaterThan(400)
})
