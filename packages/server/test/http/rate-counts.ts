import { routes } from '@gatehouse/wire'
import { onTestFinished, vi } from 'vitest'
import { ada } from '../support/harness.ts'

export const wrong = { username: ada.username, password: 'wrong password wrong', useragent: '' }
export const signIn = routes.getAuthTokenWithError.path
export const tooMany = { error: 'Too many requests from this address. Try again later.', code: 'TooManyRequests' }

/** Fakes the machine's clock, which the rate limits use. */
export const startClock = () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'], now: Date.UTC(2026, 10, 20, 3) })
  onTestFinished(() => void vi.useRealTimers())
  return { advance: (ms: number) => void vi.advanceTimersByTime(ms) }
}

export const statuses = async (times: number, send: (i: number) => Promise<{ statusCode: number }>) => {
  const counts: Record<number, number> = {}
  for (let i = 0; i < times; i++) {
    const { statusCode } = await send(i)
    counts[statusCode] = (counts[statusCode] ?? 0) + 1
  }
  return counts
}
