// @vitest-environment jsdom
import { cleanup, fireEvent, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { useIdle, useInterval } from './timers.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})
const after = (ms: number) => vi.advanceTimersByTime(ms)

describe('useInterval', () => {
  const start = (everySeconds: number | null) => {
    const tick = vi.fn()
    const hook = renderHook(({ every, on }) => useInterval(on, every), { initialProps: { every: everySeconds, on: tick } })
    return { ...hook, tick }
  }

  it('ticks at the interval, given in seconds', () => {
    const { tick } = start(2)
    after(1999)
    expect(tick).not.toHaveBeenCalled()
    after(1)
    expect(tick).toHaveBeenCalledTimes(1)
    after(4000)
    expect(tick).toHaveBeenCalledTimes(3)
  })

  it('calls the latest function without restarting the interval', () => {
    const { tick, rerender } = start(2)
    after(1500)
    const later = vi.fn()
    rerender({ every: 2, on: later })
    after(500)
    expect([tick, later].map(fn => fn.mock.calls.length)).toEqual([0, 1])
  })

  it('stops on null and on unmount', () => {
    const { tick, rerender, unmount } = start(1)
    rerender({ every: null, on: tick })
    after(5000)
    expect(tick).not.toHaveBeenCalled()
    rerender({ every: 1, on: tick })
    unmount()
    after(5000)
    expect(tick).not.toHaveBeenCalled()
  })
})

describe('useIdle', () => {
  const start = (idleSeconds: number | null) => {
    const idle = vi.fn()
    return { ...renderHook(({ seconds }) => useIdle(idle, seconds), { initialProps: { seconds: idleSeconds } }), idle }
  }

  it('calls once after the idle time, given in seconds', () => {
    const { idle } = start(60)
    after(59_999)
    expect(idle).not.toHaveBeenCalled()
    after(1)
    expect(idle).toHaveBeenCalledTimes(1)
    after(600_000)
    expect(idle).toHaveBeenCalledTimes(1)
  })

  it.each(['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart', 'focusin'])('%s restarts the idle time', name => {
    const { idle } = start(60)
    after(40_000)
    fireEvent(document.body, new Event(name, { bubbles: true }))
    after(59_999)
    expect(idle).not.toHaveBeenCalled()
    after(1)
    expect(idle).toHaveBeenCalledTimes(1)
  })

  it('calls again each time the user returns and is idle again', () => {
    const { idle } = start(10)
    after(10_000)
    fireEvent.keyDown(document.body)
    after(10_000)
    expect(idle).toHaveBeenCalledTimes(2)
  })

  it('counts the time during which the device slept', () => {
    const { idle } = start(10)
    vi.setSystemTime(Date.now() + 20_000)
    fireEvent(document, new Event('visibilitychange'))
    expect(idle).toHaveBeenCalledTimes(1)
  })

  it('stops on null and on unmount', () => {
    const { idle, rerender, unmount } = start(10)
    rerender({ seconds: null })
    after(20_000)
    rerender({ seconds: 10 })
    unmount()
    after(20_000)
    fireEvent.keyDown(document.body)
    after(20_000)
    expect(idle).not.toHaveBeenCalled()
  })
})
