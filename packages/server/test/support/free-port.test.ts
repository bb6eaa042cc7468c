import { afterEach, expect, test, vi } from 'vitest'
import { freePort } from './free-port.ts'

afterEach(() => vi.unstubAllEnvs())

test('workers that run at the same time get ports from separate ranges, each port once', async () => {
  const portsOf = async (variable: string, worker: string) => {
    vi.stubEnv('VITEST_POOL_ID', undefined)
    vi.stubEnv(variable, worker)
    const ports: number[] = []
    for (let n = 0; n < 300; n++) ports.push(await freePort())
    expect(new Set(ports).size).toBe(300)
    return { lowest: Math.min(...ports), highest: Math.max(...ports) }
  }
  const first = await portsOf('VITEST_POOL_ID', '1')
  const second = await portsOf('VITEST_POOL_ID', '2')
  const last = await portsOf('TEST_PARALLEL_INDEX', '31')
  expect([first.highest < second.lowest, second.highest < last.lowest, first.lowest > 10_080, last.highest < 32_768]).toEqual(
    Array(4).fill(true),
  )
})
