import { expect, test } from 'vitest'
import { limits, seconds } from '../../src/limits.ts'
import { makeInstallation, startProcess } from '../processes/processes.ts'
import { countHeld, openSlow, pause, portOf, startOfRequest } from './slow-client.ts'

test.runIf(process.platform === 'linux')(
  'RX-15: 500 slow clients get their 408 at the documented limit, and each descriptor is released within 1 s after it',
  async () => {
    const { env } = await makeInstallation()
    const { child, ready } = startProcess(env)
    const port = portOf(await ready)
    const starts = ['', 'GET / HTTP/1.1\r\nHost: localhost\r\n', startOfRequest('/getAuthTokenWithError', 'application/json')]
    const clients = Array.from({ length: 500 }, (_, n) => openSlow(port, starts[n % starts.length]))
    const answeredAt = new Map<number, number>()
    const all = Promise.all(
      clients.map(async ({ answered }, n) => {
        const ms = await answered
        answeredAt.set(n, performance.now())
        return ms
      }),
    )
    await expect.poll(() => countHeld(port, child.pid)).toBe(clients.length)
    const heldTooLong: number[] = []
    for (let done = false; !done; await pause(200)) {
      const due = performance.now() - seconds(1)
      done = answeredAt.size === clients.length && [...answeredAt.values()].every(at => at < due)
      const mayBeHeld = clients.length - [...answeredAt.values()].filter(at => at < due).length
      const held = await countHeld(port, child.pid)
      if (held > mayBeHeld) heldTooLong.push(held - mayBeHeld)
    }
    expect(heldTooLong).toEqual([])
    const times = await all
    const { arrival } = limits.connections
    expect([Math.min(...times) >= arrival - 50, Math.max(...times) <= arrival + seconds(2)]).toEqual([true, true])
    for (const { heard } of clients) expect(heard()).toMatch(/^HTTP\/1.1 408 [\s\S]*"request: took too long to arrive"}$/)
    expect(await countHeld(port, child.pid)).toBe(0)
  },
)
